// Tests how a crawl ends: with a sink that fails, a hook that throws, at a limit; and what it
// records of the URLs that it had to drop.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/steered_crawl.h>
#include <tests/support/test_web.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "engine/engine.h"

namespace gossamer::crawler {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

// Fails for records with this error.
SteeredSink full_for(std::string_view error) {
  SteeredSink sink;
  sink.on_put = [error](const FetchRecord& record) -> Result<void> {
    if (record.error == error) return fail(Errc::no_space);
    return {};
  };
  return sink;
}

TEST(EngineEnd, RecordsTheLinksToAHostThatDoesNotExist) {
  TestWeb web;
  web.page(kRoot, {"http://nowhere.test/1", "http://nowhere.test/2"});
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  const Steered result = steered(web, std::move(options), steer_nothing);
  for (const char* const url : {"http://nowhere.test/1", "http://nowhere.test/2"}) {
    const FetchRecord* const record = result.sink.find(url);
    ASSERT_NE(record, nullptr) << url;
    EXPECT_EQ(record->error, "dns_failed");
    EXPECT_THAT(record->error_detail, HasSubstr("no address"));
    EXPECT_EQ(record->status, std::nullopt);
    EXPECT_EQ(record->depth, 1u);
    EXPECT_EQ(record->via, kRoot);
    EXPECT_EQ(record->tries, 1u);
    EXPECT_FALSE(record->is_leaf);
    EXPECT_GE(record->ts.seconds, 1'700'000'000);
  }
}

TEST(EngineEnd, RecordsLeavesOfAHostThatDoesNotExistAsLeaves) {
  TestWeb web;
  web.page(kRoot, {"http://nowhere.test/1"});
  Options options = from_root();
  options.asks_for_leaves = true;
  const Steered result = steered(web, std::move(options), steer_nothing);
  ASSERT_NE(result.sink.find("http://nowhere.test/1"), nullptr);
  EXPECT_TRUE(result.sink.find("http://nowhere.test/1")->is_leaf);
}

TEST(EngineEnd, ARecordOfADroppedUrlCountsItsTries) {
  TestWeb web;
  add_host(web, "a.example", 2);
  web.at("http://a.example/1", Reply{.status = 503, .fields = "Retry-After: 3\r\n"});
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 2), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(8s));
        engine.block_host("a.example");
      });
  const FetchRecord* const record = result.sink.find("http://a.example/1");
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->error, "unavailable");
  EXPECT_EQ(record->error_detail, "not retried: the host was blocked");
  EXPECT_GT(record->tries, 1u);
  EXPECT_EQ(record->tries, result.crawled.times_asked("http://a.example/1"));
}

TEST(EngineEnd, ASinkThatFailsForAPageEndsTheCrawlWithItsError) {
  TestWeb web;
  add_host(web, "a.example", 60);
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), steer_nothing, full_for(""));
  EXPECT_EQ(result.end, EndReason::sink_failed);
  EXPECT_EQ(result.failure, Errc::no_space);
  EXPECT_THAT(result.sink.records, IsEmpty());
}

TEST(EngineEnd, ASinkThatFailsForADroppedUrlEndsTheCrawlWithItsError) {
  TestWeb web;
  add_host(web, "a.example", 60);
  const Steered result =
      steered(web, options_for({"http://nowhere.test/", "http://nowhere.test/2", kRoot.data()}, 4),
              steer_nothing, full_for("dns_failed"));
  EXPECT_EQ(result.end, EndReason::sink_failed);
  EXPECT_EQ(result.failure, Errc::no_space);
  EXPECT_LT(result.crawled.took, 5s) << "it ends immediately";
}

// A URL that waits for a retry gets its record when the crawl has ended.
Steered stopped_while_a_page_waits(SteeredSink sink) {
  TestWeb web;
  add_host(web, "a.example", 1);
  web.at("http://a.example/0", Reply{.status = 503, .fields = "Retry-After: 100\r\n"});
  return steered(
      web, options_for({"http://a.example/"}, 4),
      [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(20s));
        EXPECT_EQ(engine.in_flight(), 0u);
        engine.stop(EndReason::interrupted);
      },
      std::move(sink));
}

TEST(EngineEnd, AUrlThatWaitsForARetryIsRecordedAtTheEnd) {
  const Steered result = stopped_while_a_page_waits({});
  EXPECT_EQ(result.end, EndReason::interrupted);
  const FetchRecord* const record = result.sink.find("http://a.example/0");
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->error, "cancelled");
  EXPECT_EQ(record->error_detail, "the crawl ended");
}

TEST(EngineEnd, ASinkThatFailsAtTheEndFailsTheCrawl) {
  const Steered result = stopped_while_a_page_waits(full_for("cancelled"));
  EXPECT_EQ(result.end, EndReason::sink_failed);
  EXPECT_EQ(result.failure, Errc::no_space);
}

TEST(EngineEnd, NothingIsRecordedAfterTheSinkFailed) {
  TestWeb web;
  add_host(web, "a.example", 2);
  web.at("http://a.example/0", Reply{.status = 503, .fields = "Retry-After: 100\r\n"});
  web.at("http://a.example/1", Reply{.body = "late", .delay = 15s});
  SteeredSink sink;
  int calls = 0;
  sink.on_put = [&calls](const FetchRecord& record) -> Result<void> {
    if (record.url == kRoot) return {};
    ++calls;
    return fail(Errc::no_space);
  };
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), steer_nothing, std::move(sink));
  EXPECT_EQ(result.end, EndReason::sink_failed);
  EXPECT_EQ(calls, 1) << "/0 waits for a retry";
}

TEST(EngineEnd, TheSinkReceivesRobotsTxtIfItKeepsCaptures) {
  TestWeb web;
  web.page(kRoot, {"/1"}).page("http://a.example/1", {});
  Settings options = from_root();
  options.keeps_captures = true;
  const Steered result = steered(web, options, steer_nothing);
  ASSERT_EQ(result.sink.others.size(), 1u);
  EXPECT_EQ(result.sink.others[0].url, "http://a.example/robots.txt");
  EXPECT_EQ(result.sink.urls.size(), 2u);
  SteeredSink full;
  full.fails_for_others = true;
  const Steered failed = steered(web, options, steer_nothing, std::move(full));
  EXPECT_EQ(failed.end, EndReason::sink_failed);
  EXPECT_EQ(failed.failure, Errc::no_space);
  EXPECT_EQ(failed.crawled.times_asked(kRoot), 0u);
}

TEST(EngineEnd, TheQuotaMayBeReachedExactly) {
  TestWeb web;
  web.page(kRoot, {"/1"}).page("http://a.example/1", {});
  Settings options = options_for({std::string(kRoot)}, 1);
  options.pages_max = 1;
  const std::uint64_t first = steered(web, options, steer_nothing).statistics.wire_bytes;
  options.pages_max.reset();
  options.wire_bytes_max = first;
  const Steered exact = steered(web, options, steer_nothing);
  EXPECT_EQ(exact.end, EndReason::quota);
  EXPECT_EQ(exact.crawled.times_asked("http://a.example/1"), 0u);
  options.wire_bytes_max = first + 1;
  EXPECT_EQ(steered(web, options, steer_nothing).sink.urls.size(), 2u);
}

TEST(EngineEnd, TheMemoryForHostsMayBeUnlimited) {
  TestWeb web;
  web.page(kRoot, {"http://b.example/", "http://c.example/"});
  web.page("http://b.example/", {}).page("http://c.example/", {});
  Settings options = from_root();
  options.scope.kind = ScopeKind::any;
  options.host_bytes_max = 0;
  EXPECT_EQ(steered(web, options, steer_nothing).end, EndReason::finished);
  options.host_bytes_max = 1;
  EXPECT_EQ(steered(web, options, steer_nothing).end, EndReason::memory_limit);
}

}  // namespace
}  // namespace gossamer::crawler
