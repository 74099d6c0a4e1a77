// Tests the control of a running crawl in a simulated world.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/steered_crawl.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <stdexcept>

#include "async/sleep.h"
#include "engine/engine.h"

namespace gossamer::crawler {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(EngineSteering, APauseStartsNothingAndLetsRequestsFinish) {
  TestWeb web;
  add_host(web, "a.example", 60);
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(3500ms));
        engine.pause();
        EXPECT_EQ(engine.in_flight(), 4u);
        static_cast<void>(co_await async::sleep(1500ms));
        EXPECT_EQ(engine.in_flight(), 0u);
        EXPECT_TRUE(engine.is_paused());
        static_cast<void>(co_await async::sleep(18500ms));
        engine.resume();
      });
  EXPECT_EQ(result.end, EndReason::finished);
  EXPECT_EQ(result.sink.urls.size(), 61u);
  EXPECT_EQ(asked_between(result.crawled, 4s, 23s), 0u);
  EXPECT_GT(asked_between(result.crawled, 23s, 25s), 4u);
}

TEST(EngineSteering, AHookThatThrowsForANewRootEndsTheCrawl) {
  TestWeb web;
  add_host(web, "a.example", 60);
  Options options = options_for({"http://a.example/"}, 4);
  options.hooks.wants_url = [](const url::Url& url) -> bool {
    if (url.hostname() == "b.example") throw std::runtime_error("no more");
    return true;
  };
  const Steered result = steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(2s));
    EXPECT_EQ(engine.add_root(*url::Url::parse("http://b.example/")), std::nullopt);
    EXPECT_EQ(engine.failure_reason(), EndReason::failed);
  });
  EXPECT_EQ(result.end, EndReason::failed);
  EXPECT_LT(result.sink.urls.size(), 61u);
}

TEST(EngineSteering, TheTimeLimitRunsInAPause) {
  TestWeb web;
  add_host(web, "a.example", 60);
  Options options = options_for({"http://a.example/"}, 4);
  options.time_max = 30s;
  const Steered result = steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(2s));
    engine.pause();
  });
  EXPECT_EQ(result.end, EndReason::time_limit);
  EXPECT_LT(result.crawled.took, 31s);
}

TEST(EngineSteering, APausedCrawlCanBeStopped) {
  TestWeb web;
  add_host(web, "a.example", 60);
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(2s));
        engine.pause();
        static_cast<void>(co_await async::sleep(5s));
        engine.stop(EndReason::interrupted);
      });
  EXPECT_EQ(result.end, EndReason::interrupted);
  EXPECT_LT(result.crawled.took, 10s);
}

TEST(EngineSteering, ConcurrencyFallsAndRises) {
  TestWeb web;
  add_host(web, "a.example", 400);
  static std::uint32_t most_after;
  most_after = 0;
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 16), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(6500ms));
        EXPECT_EQ(engine.in_flight(), 16u);
        engine.set_concurrency(3);
        static_cast<void>(co_await async::sleep(1200ms));
        for (int i = 0; i < 30; ++i) {
          most_after = std::max(most_after, engine.in_flight());
          static_cast<void>(co_await async::sleep(100ms));
        }
        engine.set_concurrency(40);
        static_cast<void>(co_await async::sleep(4s));
        EXPECT_EQ(engine.in_flight(), 40u);
      });
  EXPECT_EQ(most_after, 3u);
  EXPECT_EQ(result.sink.urls.size(), 401u);
}

// Waiting workers must not all start at the same time when there is work.
TEST(EngineSteering, ALowerConcurrencyAppliesToWaitingWorkersToo) {
  TestWeb web;
  for (int i = 0; i < 8; ++i) {
    const std::string host = fmt::format("h{}.example", i);
    add_host(web, host, 10);
    web.address(host, fmt::format("93.184.1.{}", i + 1));
  }
  std::vector<std::string> roots;
  for (int i = 0; i < 8; ++i) roots.push_back(fmt::format("http://h{}.example/", i));
  static std::uint32_t most_after;
  most_after = 0;
  Options options = options_for(roots, 16);
  options.politeness.delay = 5s;
  steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(13s));  // all hosts are paused
    EXPECT_EQ(engine.in_flight(), 0u);
    engine.set_concurrency(2);
    for (int i = 0; i < 200; ++i) {
      static_cast<void>(co_await async::sleep(100ms));
      most_after = std::max(most_after, engine.in_flight());
    }
  });
  EXPECT_EQ(most_after, 2u);
}

TEST(EngineSteering, ABlockedHostIsSkippedNowAndLater) {
  TestWeb web;
  add_host(web, "a.example", 30);
  add_host(web, "b.example", 30);
  web.at("http://a.example/29", Reply{.body = "<a href=http://b.example/late>x</a>"});
  const Steered result = steered(web, options_for({"http://a.example/", "http://b.example/"}, 4),
                                 [](Engine& engine) -> async::Task<void> {
                                   static_cast<void>(co_await async::sleep(5500ms));
                                   engine.block_host("b.example");
                                   engine.block_host("b.example");
                                 });
  EXPECT_EQ(result.end, EndReason::finished);
  EXPECT_EQ(result.sink.skipped.at("http://b.example/28"), SkipReason::blocked);
  EXPECT_EQ(result.sink.skipped.at("http://b.example/late"), SkipReason::blocked);
  EXPECT_THAT(result.sink.urls, Contains("http://a.example/28"));
  EXPECT_EQ(result.sink.urls.size() + result.sink.skipped.size(), 63u) << "each has a result";
  const Instant begun = result.crawled.heard.front().at;
  for (const Heard& heard : result.crawled.heard) {
    if (heard.at - begun > 5600ms) EXPECT_THAT(heard.url, Not(HasSubstr("b.example")));
  }
}

TEST(EngineSteering, AnUnblockedHostIsFetchedFromAgain) {
  TestWeb web;
  add_host(web, "a.example", 30);
  add_host(web, "b.example", 30);
  web.at("http://a.example/29",
         Reply{.body = "<a href=http://b.example/late>x</a><a href=http://c.example/late>x</a>"});
  web.page("http://b.example/late", {}).page("http://c.example/late", {});
  Options options = options_for({"http://a.example/", "http://b.example/"}, 4);
  options.scope.kind = ScopeKind::any;
  const Steered result = steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(5500ms));
    engine.block_host("b.example");
    engine.block_host("c.example");
    static_cast<void>(co_await async::sleep(2s));
    EXPECT_TRUE(engine.is_blocked("b.example"));
    engine.unblock_host("b.example");
    EXPECT_FALSE(engine.is_blocked("b.example"));
    EXPECT_TRUE(engine.is_blocked("c.example"));
    engine.unblock_host("c.example");
    engine.unblock_host("d.example");
  });
  EXPECT_EQ(result.end, EndReason::finished);
  EXPECT_EQ(result.sink.skipped.at("http://b.example/28"), SkipReason::blocked)
      << "what was skipped stays skipped";
  EXPECT_THAT(result.sink.urls, Contains("http://b.example/late"));
  EXPECT_THAT(result.sink.urls, Contains("http://c.example/late")) << "it had no origin before";
  EXPECT_EQ(result.crawled.times_asked("http://b.example/robots.txt"), 1u) << "its rules are known";
  EXPECT_EQ(result.sink.urls.size() + result.sink.skipped.size(), 64u) << "each has a result";
}

TEST(EngineSteering, ExcludedUrlsAreSkippedNowAndLater) {
  TestWeb web;
  add_host(web, "a.example", 30);
  web.at("http://a.example/3", Reply{.body = "<a href=/late/2>x</a>", .delay = 4s});
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 2), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(3500ms));
        EXPECT_EQ(engine.exclude("[").error().code(), Errc::invalid_argument);
        EXPECT_TRUE(engine.exclude("/2[0-9]$"));
        EXPECT_TRUE(engine.exclude("/late/"));
      });
  EXPECT_EQ(result.end, EndReason::finished);
  EXPECT_EQ(result.sink.skipped.at("http://a.example/25"), SkipReason::excluded) << "queued";
  EXPECT_EQ(result.sink.skipped.at("http://a.example/late/2"), SkipReason::excluded) << "found";
  EXPECT_THAT(result.sink.urls, Contains("http://a.example/19"));
  EXPECT_EQ(result.sink.urls.size() + result.sink.skipped.size(), 32u) << "each has a result";
  EXPECT_EQ(result.crawled.times_asked("http://a.example/25"), 0u);
}

// It was requested once, so it is a page with a failure, not a skipped URL.
TEST(EngineSteering, AnExcludedUrlThatWaitsForARetryGetsItsRecord) {
  TestWeb web;
  add_host(web, "a.example", 3);
  web.at("http://a.example/1", Reply{.status = 503});
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 2), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(3500ms));
        EXPECT_TRUE(engine.exclude("/1$"));
      });
  EXPECT_EQ(result.end, EndReason::finished);
  EXPECT_THAT(result.sink.urls, Contains("http://a.example/1"));
  EXPECT_THAT(result.sink.skipped, IsEmpty());
}

// No request is made for an excluded URL, so it does not tell that the host is well again.
TEST(EngineSteering, AnExcludedUrlThatWaitsForARetryKeepsTheBackoff) {
  TestWeb web;
  add_host(web, "a.example", 8);
  web.otherwise("a.example", Reply{.status = 503});
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 1), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(20s));
        EXPECT_TRUE(engine.exclude("/[0-3]$"));
      });
  Duration before = Duration::zero();
  for (std::size_t i = 3; i < result.crawled.heard.size(); ++i) {
    const Duration gap = result.crawled.heard[i].at - result.crawled.heard[i - 1].at;
    EXPECT_GE(gap, before) << result.crawled.heard[i].url;
    before = gap;
  }
  EXPECT_GT(before, 30s);
}

TEST(EngineSteering, TheLastFailuresAreKnownWithTheirUrls) {
  TestWeb web;
  add_host(web, "a.example", 70);
  for (int i = 0; i < 60; ++i) {
    web.at(fmt::format("http://a.example/{}", i), Reply{.status = i == 59 ? 410 : 404});
  }
  static std::vector<FailedUrl> seen;
  seen.clear();
  steered(web, options_for({"http://a.example/"}, 1), [](Engine& engine) -> async::Task<void> {
    while (co_await async::sleep(500ms)) {
      const auto& all = engine.recent_failures().all();
      seen.assign(all.begin(), all.end());
    }
  });
  ASSERT_EQ(seen.size(), RecentFailures::kKept);
  EXPECT_EQ(seen.back().url, "http://a.example/59");
  EXPECT_EQ(seen.back().cause, "410");
  EXPECT_EQ(seen.back().via, "http://a.example/");
  EXPECT_EQ(seen.front().cause, "404");
  EXPECT_LE(seen.front().at, seen.back().at);
}

TEST(EngineSteering, ASinkThatThrowsForABlockedHostEndsTheCrawl) {
  TestWeb web;
  add_host(web, "a.example", 30);
  SteeredSink sink;
  sink.on_skip = [](const SkippedUrl& skipped) {
    if (skipped.reason == SkipReason::blocked) throw std::runtime_error("no more");
  };
  const Steered result = steered(
      web, options_for({"http://a.example/"}, 4),
      [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(3500ms));
        engine.block_host("a.example");
      },
      std::move(sink));
  EXPECT_EQ(result.end, EndReason::failed);
}

TEST(EngineSteering, ASinkThatThrowsForAHostThatWasGivenUpEndsTheCrawl) {
  TestWeb web;
  add_host(web, "a.example", 3);
  SteeredSink sink;
  sink.on_put = [](const FetchRecord& record) -> Result<void> {
    if (!record.error.empty()) throw std::runtime_error("no more");
    return {};
  };
  const Steered result = steered(
      web, options_for({"http://a.example/", "http://nowhere.test/", "http://nowhere.test/2"}, 4),
      [](Engine&) -> async::Task<void> { co_return; }, std::move(sink));
  EXPECT_EQ(result.end, EndReason::failed);
}

TEST(EngineSteering, AHostCanBeBlockedBeforeItIsKnown) {
  TestWeb web;
  web.page("http://a.example/", {"http://b.example/x"}).page("http://b.example/x", {});
  Options options = options_for({"http://a.example/"}, 4);
  options.scope.kind = ScopeKind::any;
  const Steered result = steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    engine.block_host("b.example");
    co_return;
  });
  EXPECT_EQ(result.sink.skipped.at("http://b.example/x"), SkipReason::blocked);
  EXPECT_EQ(result.crawled.times_asked("http://b.example/robots.txt"), 0u);
}

TEST(EngineSteering, AUrlCanBeAddedAsARoot) {
  TestWeb web;
  add_host(web, "a.example", 30);
  web.page("http://c.example/", {"/under", "http://d.example/"}).page("http://c.example/under", {});
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(3s));
        const auto c = url::Url::parse("http://user:secret@c.example/");
        EXPECT_EQ(engine.add_root(*c), Verdict::added);
        EXPECT_EQ(engine.add_root(*c), Verdict::seen);
        const auto a = url::Url::parse("http://a.example/3");
        EXPECT_EQ(engine.add_root(*a), Verdict::seen);
        engine.stop(EndReason::interrupted);
        EXPECT_EQ(engine.add_root(*url::Url::parse("http://e.example/")), std::nullopt);
      });
  EXPECT_EQ(result.end, EndReason::interrupted);
  TestWeb again;
  add_host(again, "a.example", 30);
  again.page("http://c.example/", {"/under", "http://d.example/"});
  again.page("http://c.example/under", {});
  const Steered whole = steered(again, options_for({"http://a.example/"}, 4),
                                [](Engine& engine) -> async::Task<void> {
                                  static_cast<void>(co_await async::sleep(3s));
                                  engine.add_root(*url::Url::parse("http://c.example/"));
                                });
  EXPECT_THAT(whole.sink.urls, Contains("http://c.example/under"));
  EXPECT_EQ(whole.sink.skipped.at("http://d.example/"), SkipReason::out_of_scope);
}

TEST(EngineSteering, AShorterDelayAppliesToAPausedHost) {
  TestWeb web;
  add_host(web, "a.example", 5);
  Options options = options_for({"http://a.example/"}, 4);
  options.politeness.delay = 1h;
  const Steered result = steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(60s));
    engine.set_delay(2s);
  });
  EXPECT_EQ(result.sink.urls.size(), 6u);
  EXPECT_LT(result.crawled.took, 90s);
}

TEST(EngineSteering, ALongerDelayAppliesToAPausedHost) {
  TestWeb web;
  add_host(web, "a.example", 5);
  Options options = options_for({"http://a.example/"}, 4);
  options.politeness.delay = 2s;
  const Steered result = steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(5s));
    engine.set_delay(60s);
  });
  EXPECT_EQ(result.sink.urls.size(), 6u);
  EXPECT_LE(asked_between(result.crawled, 6s, 55s), 1u);
}

TEST(EngineSteering, TheGlobalRateCanBeChanged) {
  TestWeb web;
  add_host(web, "a.example", 60);
  Options options = options_for({"http://a.example/"}, 8);
  options.global_gap = 1h;
  const Steered result = steered(web, std::move(options), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(10s));
    engine.set_global_gap(500ms);
  });
  EXPECT_EQ(result.sink.urls.size(), 61u);
  EXPECT_LT(result.crawled.took, 60s);
  EXPECT_EQ(asked_between(result.crawled, 15s, 25s), 20u);
}

TEST(EngineSteering, ListsTheFetchesInFlight) {
  TestWeb web;
  add_host(web, "a.example", 30);
  web.at("http://b.example/", Reply{.body = std::string(1000, 'x'), .byte_gap = 10ms});
  web.at("http://b.example/robots.txt", Reply{.status = 404});
  steered(web, options_for({"http://a.example/", "http://b.example/"}, 4),
          [](Engine& engine) -> async::Task<void> {
            static_cast<void>(co_await async::sleep(3500ms));
            const std::vector<FetchFacts> fetches = engine.fetches(10);
            EXPECT_EQ(fetches.size(), 4u);
            if (fetches.size() != 4u) co_return;
            EXPECT_TRUE(std::ranges::is_sorted(fetches, std::ranges::greater(), &FetchFacts::age));
            EXPECT_EQ(fetches[0].url, "http://b.example/");
            EXPECT_EQ(fetches[0].host, "b.example");
            EXPECT_EQ(fetches[0].stage, "reading");
            EXPECT_GT(fetches[0].bytes, 100u);
            EXPECT_LT(fetches[0].bytes, 350u);
            EXPECT_THAT(fetches[0].stack, HasSubstr("BodyIntake::read"));
            EXPECT_THAT(fetches[0].stack, HasSubstr("Engine::work"));
            EXPECT_THAT(fetches[1].url, HasSubstr("http://a.example/"));
            EXPECT_EQ(fetches[1].stage, "waiting");
            EXPECT_LE(fetches[1].age, 1s);
            EXPECT_EQ(fetches[1].bytes, 0u);
            EXPECT_EQ(engine.fetches(2).size(), 2u);
          });
}

TEST(EngineSteering, APauseAndAHoldMustBothHaveEnded) {
  TestWeb web;
  add_host(web, "a.example", 60);
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(3500ms));
        engine.hold(true);
        engine.hold(true);
        engine.pause();
        static_cast<void>(co_await async::sleep(4s));
        engine.resume();
        static_cast<void>(co_await async::sleep(4s));
        EXPECT_EQ(engine.in_flight(), 0u) << "it is held";
        EXPECT_FALSE(engine.is_paused());
        engine.hold(false);
      });
  EXPECT_EQ(result.sink.urls.size(), 61u);
  EXPECT_EQ(asked_between(result.crawled, 4s, 11s), 0u);
  EXPECT_GT(asked_between(result.crawled, 11s, 13s), 4u);
}

TEST(EngineSteering, ALocalHostGetsAllOfARaisedConcurrency) {
  TestWeb web;
  add_host(web, "a.example", 600);
  steered(web, options_for({"http://a.example/"}, 4), [](Engine& engine) -> async::Task<void> {
    const Instant begun = async::Loop::current().now();
    static_cast<void>(co_await async::sleep(3500ms));
    EXPECT_EQ(engine.started(), begun);
    engine.set_concurrency(100);
    static_cast<void>(co_await async::sleep(4s));
    EXPECT_EQ(engine.in_flight(), 100u);
  });
}

TEST(EngineSteering, TheScopeFollowsAnAddedRootThatRedirects) {
  TestWeb web;
  add_host(web, "a.example", 30);
  web.at("http://c.example/", redirect_to("http://d.example/"));
  web.page("http://d.example/", {"/under"}).page("http://d.example/under", {});
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(3s));
        engine.add_root(*url::Url::parse("http://c.example/"));
      });
  EXPECT_THAT(result.sink.urls, Contains("http://d.example/under"));
}

TEST(EngineSteering, DroppedUrlsAreRecordedWhileNothingIsFetched) {
  TestWeb web;
  web.at("http://a.example/", Reply{.status = 503, .fields = "Retry-After: 3\r\n"});
  static std::size_t recorded;
  const Steered result =
      steered(web, options_for({"http://a.example/"}, 4), [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(1s));
        engine.pause();
        EXPECT_TRUE(co_await engine.settle_dropped()) << "there is nothing yet";
        EXPECT_EQ(engine.statistics().pages, 0u);
        engine.block_host("a.example");
        EXPECT_TRUE(co_await engine.settle_dropped());
        recorded = engine.statistics().pages;
      });
  EXPECT_EQ(recorded, 1u);
  EXPECT_EQ(result.sink.urls.size(), 1u);
}

TEST(EngineSteering, ASinkThatFailsForADroppedUrlWhileNothingIsFetchedEndsTheCrawl) {
  TestWeb web;
  add_host(web, "b.example", 30);
  web.at("http://a.example/", Reply{.status = 503, .fields = "Retry-After: 100\r\n"});
  SteeredSink sink;
  sink.on_put = [](const FetchRecord& record) -> Result<void> {
    if (record.error == "unavailable") return fail(Errc::no_space);
    return {};
  };
  const Steered result = steered(
      web, options_for({"http://a.example/", "http://b.example/"}, 4),
      [](Engine& engine) -> async::Task<void> {
        static_cast<void>(co_await async::sleep(2500ms));
        engine.block_host("a.example");
        EXPECT_TRUE(co_await engine.settle_dropped()) << "the crawl ends with the failure";
        EXPECT_EQ(engine.failure_reason(), EndReason::sink_failed);
      },
      std::move(sink));
  EXPECT_EQ(result.end, EndReason::sink_failed);
  EXPECT_EQ(result.failure, Errc::no_space);
}

}  // namespace
}  // namespace gossamer::crawler
