#include "run/crawl_rendering.h"

#include <algorithm>
#include <cstddef>

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

CrawlRendering::CrawlRendering(Machine& machine, async::Loop& loop, const CrawlSettings& settings)
    : browsers_(loop, async::OnFailure::keep_going) {
  if (settings.renders == crawler::RenderMode::never) return;
  launcher_ = machine.make_browsers();
  renderer_ = std::make_unique<render::Renderer>(*launcher_, browsers_, options_of(settings));
}

Result<void> CrawlRendering::check(Machine& machine, const CrawlSettings& settings) {
  if (settings.renders == crawler::RenderMode::never) return {};
  return machine.make_browsers()->check();
}

async::Task<void> CrawlRendering::close() {
  if (renderer_) renderer_->close();
  browsers_.cancel();
  static_cast<void>(co_await browsers_.join());
}

}  // namespace gossamer::run
