// Tests several engines of one crawl, all on one loop.

#include "engine/shards/shards.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "engine/engine.h"
#include "frontier/frontier_options.h"
#include "tests/simulated/world.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kShards = 3;

// The results of one of the engines.
struct Told final : public PageSink {
  async::Task<Result<void>> put(Page page) override {
    records.push_back(std::move(page.record));
    if (on_page) on_page();
    if (fails_with) co_return fail(*fails_with);
    co_return {};
  }
  void skip(const SkippedUrl& skipped) override { skips.emplace_back(skipped.url); }

  std::vector<FetchRecord> records;
  std::vector<std::string> skips;
  std::vector<EndReason> ends;
  std::move_only_function<void()> on_page;
  std::optional<Errc> fails_with;
};

struct ShardedCrawl {
  explicit ShardedCrawl(Settings wanted) : settings(std::move(wanted)) {}

  Crawled run(TestWeb& web) {
    return web.visit([this](World& world) { return crawl(world); });
  }

  // BORROWS: the world.
  async::Task<void> crawl(World& world) {
    const FrontierOptions options = frontier_options({settings}, world);
    shards.emplace(kShards, options);
    if (before) before(*shards);
    async::Scope engines(async::OnFailure::keep_going);
    for (std::size_t i = 0; i < kShards; ++i) engines.spawn(crawl_shard(world, i, options));
    static_cast<void>(co_await engines.join());
  }

  // BORROWS: the world.
  async::Task<void> crawl_shard(World& world, std::size_t index, FrontierOptions options) {
    Frontier frontier(async::Loop::current(), std::move(options), shards->share());
    wire::CookieJar cookies;
    Engine engine(world, {settings}, frontier, told[index], cookies, &(*shards)[index]);
    if (on_page) told[index].on_page = [this, &engine] { on_page(engine); };
    (*shards)[index].join_in(async::Loop::current(), engine);
    if (on_join) on_join(index);
    const auto end = co_await engine.run();
    told[index].ends.push_back(end ? *end : *engine.failure_reason());
    statistics.add(engine.statistics());
    EXPECT_TRUE(co_await (*shards)[index].leave());
    told[index].on_page = nullptr;
  }

  std::vector<std::string> urls() const {
    std::vector<std::string> all;
    for (const Told& one : told) {
      for (const FetchRecord& record : one.records) all.push_back(record.url);
    }
    std::ranges::sort(all);
    return all;
  }
  std::vector<std::string> skips() const {
    std::vector<std::string> all;
    for (const Told& one : told) all.insert(all.end(), one.skips.begin(), one.skips.end());
    return all;
  }

  Settings settings;
  std::move_only_function<void(Shards&)> before;
  std::move_only_function<void(std::size_t)> on_join;
  std::move_only_function<void(Engine&)> on_page;
  std::optional<Shards> shards;
  std::array<Told, kShards> told;
  Statistics statistics;
};

// A ring of hosts, each with `pages` pages that link to the same page of the next host.
std::vector<std::string> ring_of_hosts(TestWeb& web, std::size_t hosts, std::size_t pages) {
  std::vector<std::string> urls;
  const auto url_of = [](std::size_t host, std::size_t page) {
    return fmt::format("http://h{}.example/{}", host, page);
  };
  for (std::size_t host = 0; host < hosts; ++host) {
    for (std::size_t page = 0; page < pages; ++page) {
      const std::string next = url_of((host + 1) % hosts, page);
      const std::string deeper = url_of(host, (page + 1) % pages);
      urls.push_back(url_of(host, page));
      web.page(urls.back(), {next, deeper, "http://h0.example/0"});
    }
  }
  std::ranges::sort(urls);
  return urls;
}

Settings anywhere(std::string root) {
  Settings settings;
  settings.roots = {std::move(root)};
  settings.scope.kind = ScopeKind::any;
  return settings;
}

TEST(ShardsTest, FetchTheSamePagesAsOneLoop) {
  TestWeb web;
  const std::vector<std::string> all = ring_of_hosts(web, 12, 5);
  ShardedCrawl sharded(anywhere("http://h0.example/0"));
  const Crawled crawled = sharded.run(web);
  EXPECT_EQ(sharded.urls(), all);
  EXPECT_THAT(crawled.problems, IsEmpty());
  EXPECT_EQ(sharded.statistics.pages, 60u);
  for (const Told& told : sharded.told) {
    EXPECT_THAT(told.ends, ElementsAre(EndReason::finished));
    EXPECT_FALSE(told.records.empty()) << "each of the three loops has some of the twelve hosts";
  }
}

TEST(ShardsTest, AssignEachSiteToOneLoop) {
  Shards shards(kShards, {.salt = 5});
  std::set<std::size_t> owners;
  for (int i = 0; i < 50; ++i) {
    const std::string domain = fmt::format("site{}.co.uk", i);
    const std::size_t owner = shards.owner_of(domain);
    EXPECT_LT(owner, kShards);
    EXPECT_EQ(owner, shards.owner_of("www." + domain));
    EXPECT_EQ(owner, shards.owner_of("a.b." + domain));
    owners.insert(owner);
  }
  EXPECT_EQ(owners.size(), kShards);
  EXPECT_LT(shards.owner_of("127.0.0.1"), kShards);
  EXPECT_LT(shards.owner_of(""), kShards);
}

TEST(ShardsTest, KeepTheReferrer) {
  TestWeb web;
  ring_of_hosts(web, 6, 2);
  ShardedCrawl sharded(anywhere("http://h0.example/0"));
  sharded.run(web);
  for (const Told& told : sharded.told) {
    for (const FetchRecord& record : told.records) {
      EXPECT_EQ(record.via.empty(), record.url == "http://h0.example/0") << record.url;
    }
  }
}

TEST(ShardsTest, ReportASkippedUrlOnce) {
  TestWeb web;
  Settings settings;
  settings.scope.kind = ScopeKind::host;
  for (int i = 0; i < 9; ++i) {
    const std::string root = fmt::format("http://h{}.example/", i);
    settings.roots.push_back(root);
    web.page(root, {"http://elsewhere.example/", "mailto:a@b.example"});
  }
  ShardedCrawl sharded(std::move(settings));
  sharded.run(web);
  EXPECT_EQ(sharded.urls().size(), 9u);
  EXPECT_THAT(sharded.skips(),
              testing::UnorderedElementsAre("http://elsewhere.example/", "mailto:a@b.example"));
}

TEST(ShardsTest, FollowARedirectedRoot) {
  TestWeb web;
  Settings settings;
  settings.scope.kind = ScopeKind::host;
  for (int i = 0; i < 9; ++i) {
    settings.roots.push_back(fmt::format("http://old{}.example/", i));
    web.at(settings.roots.back(), redirect_to(fmt::format("http://new{}.example/", i)));
    web.page(fmt::format("http://new{}.example/", i), {"/more"});
    web.page(fmt::format("http://new{}.example/more", i), {});
  }
  ShardedCrawl sharded(std::move(settings));
  sharded.run(web);
  EXPECT_EQ(sharded.urls().size(), 27u);
}

// Each loop must know the roots of the others: their sites are in scope for its links, too.
TEST(ShardsTest, FollowLinksToTheRootsOfOtherLoops) {
  TestWeb web;
  Settings settings;
  std::vector<std::string> only;
  for (int i = 0; i < 6; ++i) {
    only.push_back(fmt::format("http://h{}.example/only", (i + 1) % 6));
    settings.roots.push_back(fmt::format("http://h{}.example/", i));
    web.page(settings.roots.back(), {only.back()}).page(only.back(), {});
  }
  ShardedCrawl sharded(settings);
  const Crawled crawled = sharded.run(web);
  EXPECT_THAT(sharded.skips(), IsEmpty());
  for (const std::string& url : only) EXPECT_EQ(crawled.times_asked(url), 1u) << url;
}

TEST(ShardsTest, FetchARootThatIsAddedToAnyLoop) {
  TestWeb web;
  std::vector<std::string> added;
  web.page("http://h0.example/", {});
  for (int i = 1; i < 6; ++i) {
    added.push_back(fmt::format("http://h{}.example/", i));
    web.page(added.back(), {"/next"}).page(added.back() + "next", {});
  }
  Settings settings;
  settings.roots = {"http://h0.example/"};
  ShardedCrawl sharded(settings);
  std::size_t next = 0;
  sharded.on_page = [&](Engine& engine) {
    if (next == added.size()) return;
    EXPECT_TRUE(engine.add_root(*url::Url::parse(added[next++])));
  };
  const Crawled crawled = sharded.run(web);
  EXPECT_EQ(next, added.size());
  for (const std::string& url : added) EXPECT_EQ(crawled.times_asked(url + "next"), 1u) << url;
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(ShardsTest, CountPagesTogether) {
  for (const std::uint64_t limit : {1, 7, 30, 59}) {
    TestWeb web;
    ring_of_hosts(web, 12, 5);
    Settings settings = anywhere("http://h0.example/0");
    settings.pages_max = limit;
    ShardedCrawl sharded(std::move(settings));
    sharded.run(web);
    EXPECT_EQ(sharded.urls().size(), limit);
    for (const Told& told : sharded.told) {
      EXPECT_THAT(told.ends, ElementsAre(EndReason::page_limit));
    }
  }
}

TEST(ShardsTest, EndAtThePageLimitOnlyIfTargetsAreLeft) {
  TestWeb web;
  ring_of_hosts(web, 12, 5);
  Settings settings = anywhere("http://h0.example/0");
  settings.pages_max = 60;
  ShardedCrawl sharded(std::move(settings));
  sharded.run(web);
  EXPECT_EQ(sharded.urls().size(), 60u);
  for (const Told& told : sharded.told) EXPECT_THAT(told.ends, ElementsAre(EndReason::finished));
}

// A loop with queued targets gets a page that is given back, even if its workers have left because
// the page limit was reached.
TEST(ShardsTest, PassAFreedPageToALoopWithoutWorkers) {
  sim::World world = sim::World::calm();
  const FrontierOptions options = {.needs_address = false, .needs_robots = false, .pages_max = 1};
  const auto share = std::make_shared<FrontierShare>(options);
  Frontier one(world.loop(), options, share);
  Frontier other(world.loop(), options, share);
  int workers_wanted = 0;
  other.on_unclaimed([&workers_wanted] { ++workers_wanted; });
  EXPECT_EQ(one.discover(*url::Url::parse("http://a.example/"), 1, {}), Verdict::added);
  {
    const auto claim = world.run(one.claim());
    ASSERT_TRUE(claim);
    EXPECT_EQ(other.discover(*url::Url::parse("http://b.example/"), 2, {}), Verdict::added);
    EXPECT_EQ(workers_wanted, 0) << "the only page is claimed";
  }
  EXPECT_EQ(workers_wanted, 1) << "the page was given back";
}

// Messages overtake each other, and a loop does not know the current level of the others.
TEST(ShardsTest, UseTheLowestDepthWhateverTheOrderOfMessages) {
  sim::World world = sim::World::calm();
  const FrontierOptions options = {
      .is_level_by_level = true, .needs_address = false, .needs_robots = false};
  Frontier frontier(world.loop(), options);
  const url::Url url = *url::Url::parse("http://a.example/");
  EXPECT_EQ(frontier.discover(url, 1, {.depth = 2}), Verdict::added);
  EXPECT_EQ(frontier.discover(url, 1, {.depth = 1}), Verdict::added);
  EXPECT_EQ(frontier.discover(url, 1, {.depth = 2}), Verdict::seen);
  EXPECT_EQ(frontier.discover(url, 1, {.depth = 1}), Verdict::seen);
}

TEST(ShardsTest, CountBytesTogether) {
  TestWeb web;
  ring_of_hosts(web, 12, 5);
  Settings settings = anywhere("http://h0.example/0");
  settings.wire_bytes_max = 2000;
  ShardedCrawl sharded(std::move(settings));
  sharded.run(web);
  EXPECT_LT(sharded.urls().size(), 60u);
  EXPECT_GE(sharded.statistics.wire_bytes, 2000u);
  for (const Told& told : sharded.told) EXPECT_THAT(told.ends, ElementsAre(EndReason::quota));
}

// A root links to many hosts with one page each. Whenever the crawl is stopped, each page has a
// record, was stopped, or was still in transfer.
TEST(ShardsTest, StopTogetherWithExactCounts) {
  constexpr std::size_t kLeaves = 60;
  for (std::size_t stop_at = 1; stop_at <= kLeaves; stop_at += 7) {
    TestWeb web;
    Reply root = links_to({});
    for (std::size_t i = 0; i < kLeaves; ++i) {
      root.body += fmt::format("<a href='http://h{}.example/'>", i);
      web.page(fmt::format("http://h{}.example/", i), {});
    }
    web.at("http://root.example/", root);
    ShardedCrawl sharded(anywhere("http://root.example/"));
    std::size_t pages = 0;
    sharded.on_page = [&pages, stop_at](Engine& engine) {
      if (++pages == stop_at) engine.stop(EndReason::interrupted);
    };
    sharded.run(web);
    for (const Told& told : sharded.told) {
      EXPECT_THAT(told.ends, ElementsAre(EndReason::interrupted));
    }
    const std::uint64_t stopped =
        sharded.statistics.skipped[static_cast<std::size_t>(SkipReason::stopped)];
    EXPECT_EQ(sharded.urls().size() + stopped + sharded.shards->undelivered(), kLeaves + 1)
        << "stopped at " << stop_at;
  }
}

TEST(ShardsTest, EndTogetherWhenASinkFails) {
  for (const Errc failure : {Errc::io_failed, Errc::no_space}) {
    TestWeb web;
    ring_of_hosts(web, 12, 5);
    ShardedCrawl sharded(anywhere("http://h0.example/0"));
    sharded.told[0].fails_with = failure;
    sharded.run(web);
    for (const Told& told : sharded.told) {
      EXPECT_THAT(told.ends, ElementsAre(EndReason::sink_failed)) << base::name(failure);
    }
  }
}

TEST(ShardsTest, ShareThePauseOfAnAddress) {
  TestWeb web;
  Settings settings;
  for (int i = 0; i < 6; ++i) {
    const std::string host = fmt::format("h{}.example", i);
    settings.roots.push_back("http://" + host + "/");
    web.page(settings.roots.back(), {}).address(host, "93.184.216.34");
  }
  settings.obeys_robots = false;
  ShardedCrawl sharded(settings);
  const Crawled crawled = sharded.run(web);
  ASSERT_EQ(crawled.heard.size(), 6u);
  for (std::size_t i = 1; i < crawled.heard.size(); ++i) {
    EXPECT_GE(crawled.heard[i].at - crawled.heard[i - 1].at,
              settings.politeness.address_gap - 50ms);
  }
}

TEST(ShardsTest, RunEarlyCallbacksBeforeTheEngine) {
  TestWeb web;
  ring_of_hosts(web, 3, 1);
  ShardedCrawl sharded(anywhere("http://h0.example/0"));
  std::array<std::vector<std::string>, kShards> ran;
  sharded.before = [&ran](Shards& shards) {
    for (std::size_t i = 0; i < kShards; ++i) {
      shards[i].post_to_engine([&ran, &shards, i](Engine& engine) {
        EXPECT_EQ(engine.statistics().pages, 0u);
        ran[i].emplace_back("first");
        shards[i].post([&ran, i] { ran[i].emplace_back("third"); });
      });
      shards[i].post([&ran, i] { ran[i].emplace_back("second"); });
    }
  };
  std::size_t joined = 0;
  sharded.on_join = [&](std::size_t index) {
    ++joined;
    EXPECT_THAT(ran[index], ElementsAre("first", "second", "third"));
  };
  sharded.run(web);
  EXPECT_EQ(joined, kShards);
  EXPECT_EQ(sharded.urls().size(), 3u);
}

TEST(ShardsTest, KeepTheLevelUntilAllHaveStarted) {
  Shards shards(2, {.is_level_by_level = true});
  OpenWork& work = shards.share()->work;
  shards[0].has_begun();
  work.begin(1);
  EXPECT_EQ(work.level(), 0) << "the roots of the other loop are not known yet";
  shards[1].has_begun();
  EXPECT_EQ(work.level(), 1);
}

TEST(ShardsTest, EndWithoutALoopThatNeverJoins) {
  TestWeb web;
  web.visit([](World& world) -> async::Task<void> {  // BORROWS: the world, while visit() runs
    static_cast<void>(world);
    Shards shards(2, {});
    shards[1].stay_away();
    EXPECT_FALSE(shards.share()->work.is_done());
    shards[0].has_begun();
    EXPECT_TRUE(shards.share()->work.is_done());
    co_return;
  });
}

TEST(ShardsTest, KeepTheReferrerOfEachUrl) {
  TestWeb web;
  Reply list;
  for (int i = 0; i < 60; ++i) {
    const std::string from = fmt::format("http://from{}.example/", i);
    list.body += fmt::format("<a href={}>", from);
    web.page(from, {fmt::format("http://to{}.example/", i)});
    web.page(fmt::format("http://to{}.example/", i), {});
  }
  web.at("http://h.example/", std::move(list));
  ShardedCrawl sharded(anywhere("http://h.example/"));
  sharded.run(web);
  std::size_t found = 0;
  for (const Told& told : sharded.told) {
    for (const FetchRecord& record : told.records) {
      if (!record.url.starts_with("http://to")) continue;
      EXPECT_EQ(record.via, "http://from" + record.url.substr(9));
      ++found;
    }
  }
  EXPECT_EQ(found, 60u);
}

TEST(ShardsTest, SendAllLinksOfALongPage) {
  TestWeb web;
  Reply list;
  for (int i = 0; i < 2'000; ++i) {
    const std::string url = fmt::format("http://h{}.example/{}", i % 3, i);
    list.body += fmt::format("<a href={}>", url);
    web.page(url, {});
  }
  web.at("http://h0.example/", std::move(list));
  Settings settings = anywhere("http://h0.example/");
  settings.politeness.delay = Duration::zero();
  ShardedCrawl sharded(std::move(settings));
  sharded.run(web);
  EXPECT_EQ(sharded.urls().size(), 2'001u);
}

TEST(ShardsTest, AUrlBelongsToOneLoop) {
  Shards shards(kShards, {});
  for (int i = 0; i < 20; ++i) {
    const auto url = *url::Url::parse(fmt::format("http://h{}.example/", i));
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      EXPECT_EQ(shards[shard].is_own(url), shard == shards.owner_of(url.hostname())) << i;
    }
  }
}

async::Task<Result<void>> last_an_hour() { co_return co_await async::sleep(1h); }

// Returns how long a task of an hour ran that is cancelled when the crawl is stopped.
async::Task<Result<Duration>> time_until_stop(bool is_stopped_before, bool is_guarded) {
  Shards shards(2, {});
  const Instant begun = async::Loop::current().now();
  if (is_stopped_before) shards[0].stop(EndReason::aborted);
  async::Scope scope;
  scope.spawn(last_an_hour());
  std::optional<Shard::CancelAtStop> guard(std::in_place, shards[1], scope);
  if (!is_guarded) guard.reset();
  static_cast<void>(co_await async::sleep(1s));
  if (!is_stopped_before) shards[0].stop(EndReason::aborted);
  static_cast<void>(co_await scope.join());
  co_return async::Loop::current().now() - begun;
}

TEST(ShardsTest, CancelWhatALoopDoesBeforeItJoinsWhenTheCrawlIsStopped) {
  EXPECT_EQ(*sim::World::calm().run(time_until_stop(false, true)), 1s);
  EXPECT_EQ(*sim::World::calm().run(time_until_stop(true, true)), 1s);
  EXPECT_EQ(*sim::World::calm().run(time_until_stop(false, false)), 1h);
}

}  // namespace
}  // namespace gossamer::crawler
