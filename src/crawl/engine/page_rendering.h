#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "async/task.h"
#include "engine/page/page_reading.h"
#include "engine/page/page_signs.h"
#include "engine/robots_memory.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "frontier/claim.h"
#include "http/response.h"
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
                EngineEvents& events);

  // False: no page is rendered.
  bool is_on() const noexcept {
    return settings_.renders != RenderMode::never && world_.renderer != nullptr;
  }
  // Makes `reading` copy the next page.
  void prepare(PageReading& reading) const;

  struct Page {
    const Claim& claim;
    const url::Url& url;
    const http::Response& response;
    const PageReading& reading;
  };
  // Renders the page, if that is wanted, and reads the result. Returns nullptr if the page was not
  // rendered; the record says why. `into` is an unused reading. BORROWS: all.
  async::Task<std::unique_ptr<PageReading>> render(Page page, std::unique_ptr<PageReading> into,
                                                   FetchRecord& record);

 private:
  class CrawlParts;

  std::string_view reason(const Page& page, const PageSigns& signs);
  render::Document document_of(const Page& page) const;
  // BORROWS: the reading.
  async::Task<void> read(PageReading& into, const render::Rendered& rendered) const;

  World& world_;
  const Settings& settings_;
  Hooks& hooks_;
  wire::CookieJar& cookies_;
  EngineEvents& events_;
  RobotsMemory robots_;
  RenderExperience experience_;
};

}  // namespace gossamer::crawler
