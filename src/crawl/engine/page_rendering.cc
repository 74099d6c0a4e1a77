#include "engine/page_rendering.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/ascii.h"
#include "base/escape.h"
#include "engine/page/part_fetch.h"
#include "frontier/origin.h"

namespace gossamer::crawler {
namespace {

// BOUND: a page that is rendered. Longer ones show something.
constexpr std::size_t kRenderedBytesMax = std::size_t{2} * 1024 * 1024;
// A page with more links shows something.
constexpr std::size_t kShellLinksMax = 30;

void feed_links(PageReading& into, const std::vector<std::string>& links) {
  for (const std::string& link : links) {
    into.feed(as_bytes("<a href=\"" + base::escape_attribute(link) + "\"></a>"));
  }
}

WallTime wall_now(const World& world) { return world.wall(async::Loop::current().now()); }

}  // namespace

// The answers to what one page requests.
class PageRendering::CrawlParts final : public render::Parts {
 public:
  // BORROWS: all.
  CrawlParts(PageRendering& rendering, const Page& page) : rendering_(rendering), page_(page) {}

  async::Task<Result<render::PartAnswer>> fetch(http::Request request) override {
    if (rendering_.settings_.obeys_robots && !co_await is_allowed(request.url)) {
      co_return fail(Errc::denied, "robots.txt forbids it");
    }
    const WallTime now = wall_now(rendering_.world_);
    add_cookies(request, page_.url, rendering_.cookies_, now);
    if (rendering_.hooks_.edit_request) rendering_.hooks_.edit_request(request);
    auto part = co_await fetch_part(rendering_.world_.client, request, rendering_.cookies_, now);
    if (!part) co_return fail(std::move(part).error());
    rendering_.events_.on_received(part->wire_bytes);
    rendering_.events_.on_unrecorded(part->wire_bytes);
    co_return std::move(part->answer);
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

std::string_view PageRendering::reason(const Page& page, const PageSigns& signs) {
  if (settings_.renders == RenderMode::always) return kRenderedAlways;
  const std::string_view why = reason_to_render(signs);
  return why.empty() || experience_.is_worth(page.url.hostname()) ? why : std::string_view();
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

async::Task<void> PageRendering::read(PageReading& into, const render::Rendered& rendered) const {
  into.begin(BodyKind::html, "utf-8", settings_.agent);
  std::string_view html = rendered.content.html;
  while (!html.empty()) {
    const std::string_view part = html.substr(0, PageReading::kStepBytes);
    into.feed(as_bytes(part));
    html.remove_prefix(part.size());
    if (!co_await async::yield_now()) co_return;
  }
  feed_links(into, rendered.routes);
  // Links in shadow roots are in templates, which are not read. Repeated links do not count.
  if (rendered.content.html.contains("shadowrootmode")) feed_links(into, rendered.content.links);
  while (!into.finish_some() && co_await async::yield_now()) {
  }
}

async::Task<std::unique_ptr<PageReading>> PageRendering::render(Page page,
                                                                std::unique_ptr<PageReading> into,
                                                                FetchRecord& record) {
  const bool is_candidate =
      settings_.renders == RenderMode::always || page.reading.links().size() <= kShellLinksMax;
  const bool is_whole = !page.reading.is_page_cut() && !record.is_truncated;
  if (page.reading.kind() != BodyKind::html || !is_candidate || !is_whole) co_return nullptr;
  const PageSigns before = read_signs(page.reading.page_copy());
  const std::string_view why = reason(page, before);
  if (why.empty()) co_return nullptr;
  CrawlParts parts(*this, page);
  auto rendered = co_await world_.renderer->render(document_of(page), parts, {});
  record.rendering = Rendering{.why = why};
  if (!rendered) {
    record.rendering->error = base::name(rendered.error().code());
    co_return nullptr;
  }
  record.rendering->took = rendered->took;
  record.rendering->requests = static_cast<std::uint32_t>(rendered->parts);
  PageSigns after = read_signs(rendered->content.html);
  after.links += rendered->routes.size();
  record.rendering->has_gained = has_gained(before, after);
  experience_.note(page.url.hostname(), record.rendering->has_gained);
  co_await read(*into, *rendered);
  co_return into;
}

}  // namespace gossamer::crawler
