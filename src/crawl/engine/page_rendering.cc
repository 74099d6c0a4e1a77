#include "engine/page_rendering.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/ascii.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/log.h"
#include "engine/page/part_fetch.h"
#include "frontier/origin.h"
#include "wire/retry_after.h"

namespace gossamer::crawler {
namespace {

// BOUND: a page that is rendered. Longer ones show something.
constexpr std::size_t kRenderedBytesMax = std::size_t{2} * 1024 * 1024;
// BOUND: a page of which it is only noted that it shows nothing.
constexpr std::size_t kShellBytesMax = std::size_t{64} * 1024;
// Of a host that does not say when it has time.
constexpr Duration kPauseOfBusyHost = std::chrono::seconds(30);
// BOUND: parts that are remembered as archived. Beyond it, all are forgotten.
constexpr std::size_t kArchivedMax = 100'000;

// Links of a list may be gone when it was scrolled. Repeated links do not count.
bool has_page_link(const html::LinkList& links) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].link.kind == html::LinkKind::page) return true;
  }
  return false;
}

bool has_hidden_links(const Settings& settings) { return settings.render_scrolls > 0; }

std::optional<Duration> retry_after_of(const render::PartAnswer& answer, WallTime now) {
  for (const http::Field& field : answer.fields) {
    if (base::equals_ignoring_case(field.name, "Retry-After")) {
      return wire::parse_retry_after(field.value, now);
    }
  }
  return std::nullopt;
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

Instant loop_now() { return async::Loop::current().now(); }
WallTime wall_now(const World& world) { return world.wall(async::Loop::current().now()); }

}  // namespace

// Tells others that wait for the same part when it is there.
class PageRendering::Fetching {
 public:
  // BORROWS: the rendering.
  Fetching(PageRendering& rendering, std::string key)
      : rendering_(rendering), key_(std::move(key)), has_ended_(std::make_shared<async::Event>()) {
    is_first_ = rendering_.fetching_.emplace(key_, has_ended_).second;
  }
  Fetching(const Fetching&) = delete;
  Fetching& operator=(const Fetching&) = delete;
  ~Fetching() {
    if (is_first_) rendering_.fetching_.erase(key_);
    has_ended_->set();
  }

 private:
  PageRendering& rendering_;
  const std::string key_;
  const std::shared_ptr<async::Event> has_ended_;
  bool is_first_ = false;
};

// The answers to what one page requests.
class PageRendering::CrawlParts final : public render::Parts {
 public:
  // BORROWS: all.
  CrawlParts(PageRendering& rendering, const Page& page) : rendering_(rendering), page_(page) {}

  // The failure of the sink, which ends the crawl.
  std::optional<Error> take_trouble() { return std::exchange(trouble_, std::nullopt); }
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
    if (const auto first = rendering_.fetching_.find(PartCache::key_of(request));
        first != rendering_.fetching_.end()) {
      const std::shared_ptr<async::Event> has_ended = first->second;
      if (auto ended = co_await has_ended->wait(); !ended) co_return fail(std::move(ended).error());
    }
    if (const auto known = rendering_.cache_.find(request, loop_now())) co_return *known;
    const Fetching fetching(rendering_, PartCache::key_of(request));
    const std::string host(request.url.hostname());
    auto turn = co_await rendering_.turns_.take(host);
    if (!turn) co_return fail(std::move(turn).error());
    if (auto prepared = co_await prepare(request); !prepared) {
      co_return fail(std::move(prepared).error());
    }
    // Only for its own site does a page get answers that require a password.
    const bool is_own = request.url.origin() == page_.url.origin();
    Hooks& hooks = rendering_.hooks_;
    FetchedPart part =
        co_await fetch_part({.client = rendering_.world_.client,
                             .cookies = rendering_.cookies_,
                             .now = wall_now(rendering_.world_),
                             .answer_challenge = is_own ? &hooks.answer_challenge : nullptr,
                             .captures = rendering_.settings_.keeps_captures},
                            request);
    rendering_.events_.on_received(part.wire_bytes);
    rendering_.events_.on_unrecorded(part.wire_bytes);
    if (part.answer) note_load(*part.answer, host);
    if (part.exchange) {
      if (auto put = co_await rendering_.archive(std::move(*part.exchange)); !put) {
        // The page may be read before it has this part. Then nobody waits for it.
        if (put.error() != Errc::cancelled) trouble_ = put.error().copy();
        co_return fail(std::move(put).error());
      }
    }
    if (part.answer) rendering_.cache_.put(request, *part.answer, loop_now());
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

  // BORROWS: the request.
  async::Task<Result<void>> prepare(http::Request& request) {
    Hooks& hooks = rendering_.hooks_;
    add_cookies(request, page_.url, rendering_.cookies_, wall_now(rendering_.world_));
    if (hooks.edit_request) hooks.edit_request(request);
    ask_whole(request);
    if (!hooks.prepare_request) co_return {};
    co_return co_await hooks.prepare_request(request);
  }

  // A host without time gets no requests for a while.
  void note_load(const render::PartAnswer& answer, const std::string& host) {
    if (answer.status != 429 && answer.status != 503) return;
    const Duration wait_max = rendering_.settings_.politeness.wait_max;
    const auto wanted = retry_after_of(answer, wall_now(rendering_.world_));
    const Duration pause = std::min(wanted.value_or(kPauseOfBusyHost), wait_max);
    rendering_.turns_.close(host, base::add_saturating(loop_now(), pause));
  }

  PageRendering& rendering_;
  const Page& page_;
  std::uint32_t requests_ = 0;
  std::optional<Error> trouble_;
};

PageRendering::PageRendering(World& world, const Settings& settings, Hooks& hooks,
                             wire::CookieJar& cookies, PageSink& sink, EngineEvents& events)
    : world_(world),
      settings_(settings),
      hooks_(hooks),
      cookies_(cookies),
      sink_(sink),
      events_(events),
      robots_(world.client, settings),
      cache_(std::min<std::uint64_t>(PartCache::kBytesMax, settings.body_memory_max / 4)) {}

void PageRendering::prepare(PageReading& reading, bool has_copy) const {
  const bool is_always = is_on() && settings_.renders == RenderMode::always;
  if (!has_copy && !is_always) {
    return reading.keep_shell(is_on() ? kRenderedBytesMax : kShellBytesMax);
  }
  if (is_on()) reading.keep_page(std::max(kRenderedBytesMax, reading.page_bytes_max()));
}

bool PageRendering::has_own_content(const FetchRecord& record) {
  return record.rendering && record.rendering->has_gained;
}

std::optional<PageRendering::Plan> PageRendering::plan(const Page& page, FetchRecord& record) {
  const PageReading& reading = page.reading;
  const bool is_whole = !reading.is_page_cut() && !record.is_truncated;
  if (reading.kind() != BodyKind::html || !is_whole) return std::nullopt;
  const std::string& html = reading.page_copy();
  const bool may_be_shell = reading.links().size() <= kShellLinksMax &&
                            !shows_enough(html, has_page_link(reading.links())) &&
                            has_scripts(html);
  const bool is_always = is_on() && settings_.renders == RenderMode::always;
  if (!may_be_shell && !is_always) return std::nullopt;
  const PageSigns signs = read_signs(html);
  const std::string_view why = may_be_shell ? reason_to_render(signs) : std::string_view();
  record.needs_scripts = !why.empty();
  if (is_always) return Plan{kRenderedAlways, signs};
  if (!is_on() || why.empty() || !experience_.is_worth(page.url.href())) return std::nullopt;
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
  if (has_hidden_links(settings_)) feed_links(into, rendered.content.links);
  while (!into.finish_some() && co_await async::yield_now()) {
  }
}

async::Task<Result<void>> PageRendering::archive(Exchange exchange) {
  base::Hasher64 hasher;
  hasher.update(exchange.url);
  hasher.update(" ");
  hasher.update(exchange.capture.payload);
  if (archived_.size() >= kArchivedMax) archived_.clear();
  const std::uint64_t digest = hasher.digest();
  if (!archived_.insert(digest).second) co_return {};
  auto put = co_await sink_.put_other(std::move(exchange));
  if (!put) archived_.erase(digest);
  co_return put;
}

async::Task<Result<bool>> PageRendering::render(Page page, Plan plan, PageReading& into,
                                                FetchRecord& record) {
  CrawlParts parts(*this, page);
  const Instant begun = loop_now();
  auto rendered = co_await world_.renderer->render(document_of(page), parts, options());
  Rendering& result = record.rendering.emplace(plan.why);
  if (auto trouble = parts.take_trouble()) co_return fail(std::move(*trouble));
  result.took = loop_now() - begun;
  result.requests = parts.requests();
  if (!rendered) {
    result.error = base::name(rendered.error().code());
    if (!std::exchange(has_told_failure_, true)) {
      LOG(warn, "a page could not be rendered: {}", rendered.error().to_string());
    }
    co_return false;
  }
  // The text and what is read of it, in place of what the page was before.
  const std::uint64_t bytes = page.memory.bytes() + 2 * rendered->content.html.size();
  if (auto room = co_await page.memory.hold(bytes); !room) co_return fail(std::move(room).error());
  result.took = rendered->took;
  result.is_cut = rendered->content.is_cut;
  PageSigns after =
      read_signs(std::string_view(rendered->content.html).substr(0, kRenderedBytesMax));
  after.links += rendered->routes.size();
  if (has_hidden_links(settings_)) {
    after.links = std::max(after.links, rendered->content.links.size());
  }
  result.has_gained = has_gained(plan.before, after);
  experience_.note(page.url.href(), result.has_gained);
  co_await read(into, page.reading.series(), *rendered);
  if (settings_.keeps_captures && !result.is_cut) {
    // It has no heads, which tells it from what was received.
    Exchange shown = {.url = record.url, .ts = record.ts, .facts = {}, .capture = {}};
    shown.capture.payload = std::move(rendered->content.html);
    auto put = co_await sink_.put_other(std::move(shown));
    if (!put) co_return fail(std::move(put).error());
  }
  co_return true;
}

}  // namespace gossamer::crawler
