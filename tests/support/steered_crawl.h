// For tests: a crawl that a test controls while it runs, and a sink that fails as the test wants.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "record/page_sink.h"
#include "record/record.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

class SteeredSink final : public PageSink {
 public:
  async::Task<Result<void>> put(Page page) override {
    if (on_put) {
      if (auto good = on_put(page.record); !good) co_return good;
    }
    urls.push_back(page.record.url);
    records.push_back(page.record);
    pages.push_back(std::move(page));
    co_return {};
  }
  async::Task<Result<void>> put_other(Exchange exchange) override {
    others.push_back(std::move(exchange));
    if (fails_for_others) co_return fail(Errc::no_space);
    co_return {};
  }
  void skip(const SkippedUrl& url) override {
    if (on_skip) on_skip(url);
    skipped[std::string(url.url)] = url.reason;
    skip_details[std::string(url.url)] = url.detail;
  }

  const FetchRecord* find(std::string_view url) const {
    const auto found = std::ranges::find(records, url, &FetchRecord::url);
    return found == records.end() ? nullptr : &*found;
  }

  std::vector<std::string> urls;
  std::vector<FetchRecord> records;
  std::vector<Page> pages;
  std::vector<Exchange> others;
  std::map<std::string, SkipReason> skipped;
  std::map<std::string, std::string> skip_details;
  // Both may throw.
  std::move_only_function<Result<void>(const FetchRecord& record)> on_put;
  std::move_only_function<void(const SkippedUrl& skipped)> on_skip;
  bool fails_for_others = false;
};

// The actions of a test during the crawl.
using Steer = async::Task<void> (*)(Engine& engine);

struct Steered {
  Crawled crawled;
  SteeredSink sink;
  EndReason end = EndReason::finished;
  std::optional<Errc> failure;
  Statistics statistics;
};

// BORROWS: all.
inline async::Task<void> crawl_and_steer(World& world, Options options, Steer steer,
                                         Steered& into) {
  static_cast<void>(co_await async::sleep(100ms));  // the loop has run before
  Frontier frontier(async::Loop::current(), frontier_options(options, world));
  wire::CookieJar cookies;
  Engine engine(world, std::move(options), frontier, into.sink, cookies);
  async::Scope steering(async::OnFailure::keep_going);
  steering.spawn(steer(engine));
  EXPECT_FALSE(engine.is_over());
  auto end = co_await engine.run();
  EXPECT_TRUE(engine.is_over());
  EXPECT_NE(end.has_value(), engine.failure_reason().has_value());
  into.end = end ? *end : *engine.failure_reason();
  if (!end) into.failure = end.error().code();
  into.statistics = engine.statistics();
  EXPECT_THAT(engine.fetches(10), testing::IsEmpty());
  steering.cancel();
  static_cast<void>(co_await steering.join());
}

inline Steered steered(TestWeb& web, Options options, Steer steer, SteeredSink sink = {}) {
  Steered result = {.sink = std::move(sink)};
  result.crawled = web.visit(
      [&](World& world) { return crawl_and_steer(world, std::move(options), steer, result); });
  return result;
}

inline async::Task<void> steer_nothing(Engine& /*engine*/) { co_return; }

// A host with this many pages, each of which takes a second.
inline void add_host(TestWeb& web, const std::string& host, int pages) {
  const std::string origin = "http://" + host;
  web.at(origin + "/", page_of_links(pages));
  web.otherwise(host, Reply{.body = "a page", .delay = 1s});
  web.at(origin + "/robots.txt", Reply{.status = 404});
}

inline Options options_for(std::vector<std::string> roots, std::uint32_t concurrency) {
  Options options;
  options.roots = std::move(roots);
  options.concurrency = concurrency;
  options.detects_soft_404 = false;
  return options;
}

inline std::size_t asked_between(const Crawled& crawled, Duration from, Duration to) {
  const Instant begun = crawled.heard.front().at;
  return static_cast<std::size_t>(std::ranges::count_if(crawled.heard, [&](const Heard& heard) {
    return heard.at - begun > from && heard.at - begun <= to;
  }));
}

}  // namespace gossamer::crawler
