#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "async/event.h"
#include "async/task.h"
#include "base/result.h"
#include "engine/page/body_memory.h"
#include "engine/page/page_reading.h"
#include "engine/page/page_signs.h"
#include "engine/page/part_cache.h"
#include "engine/page/part_turns.h"
#include "engine/robots_memory.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "frontier/claim.h"
#include "http/response.h"
#include "record/capture.h"
#include "record/page_sink.h"
#include "record/record.h"
#include "render/tab.h"
#include "url/url.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

// Renders pages of a crawl in a browser, if they need it (Settings::renders). What they request
// goes through the client of the crawl, and obeys robots.txt.
class PageRendering {
 public:
  // BORROWS: all.
  PageRendering(World& world, const Settings& settings, Hooks& hooks, wire::CookieJar& cookies,
                PageSink& sink, EngineEvents& events);

  // False: no page is rendered.
  bool is_on() const noexcept {
    return settings_.renders != RenderMode::never && world_.renderer != nullptr;
  }
  // Whether scripts made the page. Then its bytes say nothing: all pages of a site may have the
  // same.
  static bool has_own_content(const FetchRecord& record);
  // Makes `reading` copy the next page as far as plan() needs it. `has_copy`: others need one, too.
  void prepare(PageReading& reading, bool has_copy) const;

  struct Page {
    const Claim& claim;
    const url::Url& url;
    const http::Response& response;
    const PageReading& reading;
    BodyMemory::Share& memory;
  };
  struct Plan {
    std::string_view why;
    PageSigns before;  // what the page shows without a browser
  };
  // Notes whether the page shows anything without scripts. Returns nothing if it is not rendered.
  std::optional<Plan> plan(const Page& page, FetchRecord& record);
  // Renders the page and reads the result into an unused reading. Returns false if that is not
  // possible; the record says why. The memory of the page grows. Fails only if the sink does, and
  // with Errc::cancelled. BORROWS: all.
  async::Task<Result<bool>> render(Page page, Plan plan, PageReading& into, FetchRecord& record);

 private:
  class CrawlParts;
  class Fetching;

  // Passes what a page received to the sink, unless it has it. BORROWS: this.
  async::Task<Result<void>> archive(Exchange exchange);
  render::RenderOptions options() const;
  render::Document document_of(const Page& page) const;
  // BORROWS: all.
  async::Task<void> read(PageReading& into, std::uint64_t series,
                         const render::Rendered& rendered) const;

  World& world_;
  const Settings& settings_;
  Hooks& hooks_;
  wire::CookieJar& cookies_;
  PageSink& sink_;
  EngineEvents& events_;
  RobotsMemory robots_;
  RenderExperience experience_;
  PartCache cache_;
  PartTurns turns_;
  // What is being fetched, by PartCache::key_of(): another page may soon find it in the cache.
  std::unordered_map<std::string, std::shared_ptr<async::Event>> fetching_;
  std::unordered_set<std::uint64_t> archived_;  // digests of URLs and payloads
  bool has_told_failure_ = false;               // the record of each page has only a code
};

}  // namespace gossamer::crawler
