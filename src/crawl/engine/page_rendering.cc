#include "engine/page_rendering.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/ascii.h"
#include "base/escape.h"
#include "base/log.h"
#include "engine/page/part_fetch.h"
#include "frontier/origin.h"

namespace gossamer::crawler {
namespace {

// BOUND: a page that is rendered. Longer ones show something.
constexpr std::size_t kRenderedBytesMax = std::size_t{2} * 1024 * 1024;
// A page with more links shows something.
constexpr std::size_t kShellLinksMax = 30;

// Links in shadow roots are in templates, which are not read, and those of a list may be gone when
// it was scrolled. Repeated links do not count.
bool has_hidden_links(const render::Rendered& rendered, const Settings& settings) {
  return settings.render_scrolls > 0 || rendered.content.html.contains("shadowrootmode");
}

void feed_links(PageReading& into, const std::vector<std::string>& links) {
  for (const std::string& link : links) {
    into.feed(as_bytes("<a href=\"" + base::escape_attribute(link) + "\"></a>"));
  }
}

// The browser keeps no answers, so it has no use for "unchanged".
void ask_whole(http::Request& request) {
  std::erase_if(request.fields, [](const http::Field& field) {
    return base::equals_ignoring_case(field.name, "If-None-Match") ||
           base::equals_ignoring_case(field.name, "If-Modified-Since");
  });
}

WallTime wall_now(const World& world) { return world.wall(async::Loop::current().now()); }

}  // namespace

// The answers to what one page requests.
class PageRendering::CrawlParts final : public render::Parts {
 public:
  // BORROWS: all.
  CrawlParts(PageRendering& rendering, const Page& page) : rendering_(rendering), page_(page) {}

  // Those of a failed rendering, too.
  std::uint32_t requests() const { return requests_; }

  async::Task<Result<render::PartAnswer>> fetch(http::Request request) override {
    ++requests_;
    if (!may_request(rendering_.world_.client, page_.url, request.url)) {
      co_return fail(Errc::denied, "a local host of other pages");
    }
    if (rendering_.settings_.obeys_robots && !co_await is_allowed(request.url)) {
      co_return fail(Errc::denied, "robots.txt forbids it");
    }
    const WallTime now = wall_now(rendering_.world_);
    add_cookies(request, page_.url, rendering_.cookies_, now);
    if (rendering_.hooks_.edit_request) rendering_.hooks_.edit_request(request);
    ask_whole(request);
    Hooks& hooks = rendering_.hooks_;
    if (hooks.prepare_request) {
      auto prepared = co_await hooks.prepare_request(request);
      if (!prepared) co_return fail(std::move(prepared).error());
    }
    // Only for its own site does a page get answers that require a password.
    const bool is_own = request.url.origin() == page_.url.origin();
    FetchedPart part = co_await fetch_part(rendering_.world_.client, request, rendering_.cookies_,
                                           now, is_own ? &hooks.answer_challenge : nullptr);
    rendering_.events_.on_received(part.wire_bytes);
    rendering_.events_.on_unrecorded(part.wire_bytes);
    co_return std::move(part.answer);
  }

 private:
  // BORROWS: the URL.
  async::Task<bool> is_allowed(const url::Url& url) const {
    const OriginRules* const rules = page_.claim.rules();
    if (rules != nullptr && url.origin() == page_.claim.origin()) {
      co_return rules->robots.decide(url.request_target()).allowed;
    }
    co_return co_await rendering_.robots_.allows(url, wall_now(rendering_.world_));
  }

  PageRendering& rendering_;
  const Page& page_;
  std::uint32_t requests_ = 0;
};

PageRendering::PageRendering(World& world, const Settings& settings, Hooks& hooks,
                             wire::CookieJar& cookies, EngineEvents& events)
    : world_(world),
      settings_(settings),
      hooks_(hooks),
      cookies_(cookies),
      events_(events),
      robots_(world.client, settings) {}

void PageRendering::prepare(PageReading& reading) const {
  if (is_on()) reading.keep_page(std::max(kRenderedBytesMax, reading.page_bytes_max()));
}

bool PageRendering::has_own_content(const FetchRecord& record) {
  return record.rendering && record.rendering->has_gained;
}

std::optional<PageRendering::Plan> PageRendering::plan(const Page& page,
                                                       const FetchRecord& record) {
  const PageReading& reading = page.reading;
  const bool is_whole = !reading.is_page_cut() && !record.is_truncated;
  if (reading.kind() != BodyKind::html || !is_whole) return std::nullopt;
  if (settings_.renders == RenderMode::always) {
    return Plan{kRenderedAlways, read_signs(reading.page_copy())};
  }
  const bool may_be_shell =
      reading.links().size() <= kShellLinksMax && has_scripts(reading.page_copy());
  if (!may_be_shell) return std::nullopt;
  const PageSigns signs = read_signs(reading.page_copy());
  const std::string_view why = reason_to_render(signs);
  if (why.empty() || !experience_.is_worth(page.url.href())) return std::nullopt;
  return Plan{why, signs};
}

render::RenderOptions PageRendering::options() const {
  render::RenderOptions options;
  options.readiness.selector = settings_.render_wait_for;
  options.scrolls = settings_.render_scrolls;
  return options;
}

// The copy is in UTF-8, whatever the page was.
render::Document PageRendering::document_of(const Page& page) const {
  render::Document document = {.url = std::string(page.url.href()),
                               .answer = {.status = page.response.status(),
                                          .fields = fields_of(page.response.head()),
                                          .body = page.reading.page_copy()}};
  std::erase_if(document.answer.fields, [](const http::Field& field) {
    return base::equals_ignoring_case(field.name, "Content-Type");
  });
  document.answer.fields.push_back({"Content-Type", "text/html; charset=utf-8"});
  return document;
}

async::Task<void> PageRendering::read(PageReading& into, std::uint64_t series,
                                      const render::Rendered& rendered) const {
  into.begin(BodyKind::html, "utf-8", settings_.agent);
  into.begin_series(series);
  std::string_view html = rendered.content.html;
  while (!html.empty()) {
    const std::string_view part = html.substr(0, PageReading::kStepBytes);
    into.feed(as_bytes(part));
    html.remove_prefix(part.size());
    if (!co_await async::yield_now()) co_return;
  }
  feed_links(into, rendered.routes);
  if (has_hidden_links(rendered, settings_)) feed_links(into, rendered.content.links);
  while (!into.finish_some() && co_await async::yield_now()) {
  }
}

async::Task<bool> PageRendering::render(Page page, Plan plan, PageReading& into,
                                        FetchRecord& record) {
  CrawlParts parts(*this, page);
  const Instant begun = async::Loop::current().now();
  auto rendered = co_await world_.renderer->render(document_of(page), parts, options());
  Rendering& result = record.rendering.emplace(plan.why);
  result.took = async::Loop::current().now() - begun;
  result.requests = parts.requests();
  if (!rendered) {
    result.error = base::name(rendered.error().code());
    if (!std::exchange(has_told_failure_, true)) {
      LOG(warn, "a page could not be rendered: {}", rendered.error().to_string());
    }
    co_return false;
  }
  result.took = rendered->took;
  result.requests = static_cast<std::uint32_t>(rendered->parts);
  result.is_cut = rendered->content.is_cut;
  PageSigns after =
      read_signs(std::string_view(rendered->content.html).substr(0, kRenderedBytesMax));
  after.links += rendered->routes.size();
  if (has_hidden_links(*rendered, settings_)) {
    after.links = std::max(after.links, rendered->content.links.size());
  }
  result.has_gained = has_gained(plan.before, after);
  experience_.note(page.url.href(), result.has_gained);
  co_await read(into, page.reading.series(), *rendered);
  co_return true;
}

}  // namespace gossamer::crawler
