#include "run/crawl_rendering.h"

#include <algorithm>
#include <cstddef>

#include "render/websocket_launcher.h"

namespace gossamer::run {
namespace {

// Of all loops, if there are not more of them.
constexpr std::size_t kRenderedPagesMax = 4;

render::RendererOptions options_of(const CrawlSettings& settings) {
  render::RendererOptions options;
  options.launch.user_agent = settings.user_agent.empty() ? own_user_agent() : settings.user_agent;
  options.pages_max = std::max<std::size_t>(kRenderedPagesMax / settings.threads, 1);
  return options;
}

}  // namespace

CrawlRendering::CrawlRendering(Machine& machine, net::Resolver& resolver, async::Loop& loop,
                               const CrawlSettings& settings)
    : browsers_(loop, async::OnFailure::keep_going) {
  if (settings.renders == crawler::RenderMode::never) return;
  if (settings.render_with.empty()) {
    launcher_ = machine.make_browsers();
  } else {
    launcher_ = std::make_unique<render::WebSocketLauncher>(settings.render_with, resolver,
                                                            settings.web.tls, machine.draw());
  }
  renderer_ = std::make_unique<render::Renderer>(*launcher_, browsers_, options_of(settings));
}

Result<void> CrawlRendering::check(Machine& machine, const CrawlSettings& settings) {
  if (settings.renders == crawler::RenderMode::never) return {};
  if (!settings.render_with.empty()) {
    auto url = render::parse_websocket_url(settings.render_with);
    if (!url) return fail(std::move(url).error(), "in `render-with`");
    return {};
  }
  return machine.make_browsers()->check();
}

async::Task<void> CrawlRendering::close() {
  if (renderer_) renderer_->close();
  browsers_.cancel();
  static_cast<void>(co_await browsers_.join());
}

}  // namespace gossamer::run
