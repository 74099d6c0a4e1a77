// A crawl as a sequence of pages, for programs that embed it.
//
//   async::AsyncGenerator<Page> pages = crawl(world, std::move(options));
//   while (std::optional<Page> page = co_await pages.next()) use(*page);
//
// The crawl goes on in the world's scope while pages are taken. It never runs far ahead: a consumer
// that is slow makes it slow, and nothing is lost. A consumer that has seen enough drops the
// generator; the crawl then stops by itself, and the scope's owner joins it as any other child.
#pragma once

#include <memory>

#include "async/generator.h"
#include "crawl/options.h"
#include "crawl/page/page_sink.h"
#include "crawl/statistics.h"
#include "crawl/world.h"

namespace gossamer::crawler {

// How a crawl went: filled in when it has ended. Shared with it, so that it outlives both.
struct CrawlSummary {
  Statistics statistics;
  std::optional<EndReason> end;  // nothing while it goes on
  std::optional<Error> failure;
};

// REQUIRES: validate(options) is content. BORROWS: the world.
async::AsyncGenerator<Page> crawl(World& world, Options options,
                                  std::shared_ptr<CrawlSummary> summary = nullptr);

// What a frontier needs to know of the options.
struct FrontierOptions;
FrontierOptions frontier_options(const Options& options, bool has_resolver);
// The same in this world, with a salt of its own.
FrontierOptions frontier_options(const Options& options, World& world);

}  // namespace gossamer::crawler
