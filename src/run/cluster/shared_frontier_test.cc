// Tests the functions in Redis one by one. They run with the model, and with a real server.
#include "cluster/shared_frontier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "cluster/function_call.h"
#include "cluster/shared_crawl.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/support/patience.h"
#include "tests/support/redis_play.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using testing::HasSubstr;

// Returns a frontier that knows the crawl.
Task<SharedFrontier> open_frontier(redis::Client& client, SharedFrontierOptions options = {}) {
  options.crawl = "m";
  SharedFrontier frontier(client, std::move(options), [n = 0ull]() mutable { return ++n; });
  const auto prepared = co_await frontier.prepare("test", SharedFrontier::Prepare::make);
  EXPECT_TRUE(prepared.has_value()) << prepared.error().to_string();
  co_return frontier;
}

SharedFrontierOptions lasting() { return {.ttl = 1h, .patience = support::kPatience}; }

// BORROWS: the client.
Task<std::string> fails_with(redis::Client& client, std::string function, std::string key,
                             std::vector<std::string> arguments) {
  auto reply = co_await client.run(call_function(function, std::move(key), std::move(arguments)),
                                   {.deadline = redis::in_time()});
  co_return reply ? "succeeded" : reply.error().to_string();
}

Task<void> reject_arguments(redis::Client& client, redis::Node node) {
  static_cast<void>(co_await open_frontier(client));
  const std::string key = "C{m.1}";
  const std::string digits = "1000000000000000001";
  const std::string batch = "\1\1\1block";
  using List = std::vector<std::string>;
  for (const auto& [function, arguments] : std::vector<std::pair<std::string, List>>{
           {"g4_add", {"0", "h"}},
           {"g4_add", {"0", "h", "0", digits, ""}},
           {"g4_add", {"0", "h", "0", "1", batch}},
           {"g4_add", {"0", "h", "0", "100000000000000000x", batch}},
           {"g4_add", {"0", "h", "0", "0000000000000000001", batch}},
           {"g4_add", {"0", "h", "0", digits + digits, batch}},
           {"g4_add", {"0", "h", "0", digits, "\1\1\2block"}},
           {"g4_add", {"0", "", "0", digits, batch}},
           {"g4_add", {"0", "h", "0", digits, batch, "h"}},
           {"g4_add", {"0", "h", "2", digits, batch}},
           {"g4_add", {"x", "h", "0", digits, batch}},
           {"g4_lease", {}},
           {"g4_lease", {"t", "1", "0", "1"}},
           {"g4_lease", {"t", "-1", "1", "1"}},
           {"g4_lease", {"t", "1", "1", "1e99"}},
           {"g4_lease", {"-", "1", "1", "1"}},
           {"g4_complete", {"t"}},
           {"g4_complete", {"1", "h"}},
           {"g4_complete", {"1", "h", "t", "0", "0", "0", "0", "drop", "0", "", "", ""}},
           {"g4_complete", {"1", "h", "t", "x", "0", "0", "0", "keep", "0", "", "", ""}},
           {"g4_complete", {"1", "h", "-", "0", "0", "0", "0", "keep", "0", "", "", ""}},
           {"g4_renew", {"1", "h"}},
           {"g4_renew", {"x", "h", "t"}}}) {
    List words = arguments;
    words.push_back("test");
    EXPECT_THAT(co_await fails_with(client, function, key, words), HasSubstr("ERR gossamer"))
        << function << " " << testing::PrintToString(arguments);
  }
  for (const std::string other : {"C{m", "x", "R{m.1}", "C{m.1}x", "C{}"}) {
    EXPECT_THAT(co_await fails_with(client, "g4_lease", other, {"t", "1", "1", "1", "test"}),
                HasSubstr("ERR gossamer"));
  }
  const auto size = co_await ask(client, node, {"DBSIZE"});
  EXPECT_EQ(size->as_integer(-1), kPartitions) << "nothing was written";
}

TEST(SharedFrontierTest, WrongArgumentsWriteNothing) { redis::run_with_redis(reject_arguments); }

Task<void> reject_positions(redis::Client& client, redis::Node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1, 2, 3})}));
  const auto leased = co_await frontier.lease({.partitions = {1}});
  EXPECT_EQ(leased->size(), 1u);
  for (const Position position : {Position{2, 0}, Position{0, 3}, Position{1, 1}}) {
    const auto answer = co_await frontier.complete(
        {{.partition = 1, .host = "h", .token = leased->front().token, .position = position}});
    EXPECT_FALSE(answer.front().has_value());
  }
  const auto counts = co_await frontier.count();
  EXPECT_EQ(counts->ended, 0u);
  EXPECT_EQ(counts->open(), 3u);
}

TEST(SharedFrontierTest, ImpossiblePositionsAreRejected) {
  redis::run_with_redis(reject_positions);
}

Task<void> refuse_once(redis::Client& client, redis::Node node) {
  SharedFrontierOptions options = lasting();
  options.hosts_per_domain_max = 1;
  SharedFrontier frontier = co_await open_frontier(client, options);
  static_cast<void>(co_await ask(client, node, {"HSET", "C{m.9}", "f", "1"}));
  std::vector<FoundUrls> found;
  for (const std::uint64_t id : {1, 2}) {
    found.push_back(found_urls(1, std::to_string(id) + ".a.example", {id}));
    found.back().domain_bytes = 9;
    found.back().block = std::string(5'000'000, 'x');  // the next partition is not sent with it
  }
  found.push_back(found_urls(9, "h", {3}));
  EXPECT_EQ((co_await frontier.add(found)).error().code(), Errc::unavailable);
  EXPECT_EQ((co_await frontier.add(found)).error().code(), Errc::unavailable);
  EXPECT_EQ(frontier.take_refused().size(), 1u);
}

TEST(SharedFrontierTest, AUrlIsRefusedOnceAlthoughItIsAddedAgain) {
  redis::run_with_redis(refuse_once);
}

Task<void> limit_hosts(redis::Client& client, redis::Node) {
  SharedFrontierOptions options = lasting();
  options.hosts_per_domain_max = 2;
  SharedFrontier frontier = co_await open_frontier(client, options);
  const auto add = [&frontier](std::string host, std::size_t domain, std::uint64_t id) {
    FoundUrls found = found_urls(1, host, {id});
    found.domain_bytes = domain;
    return frontier.add({std::move(found)});
  };
  EXPECT_EQ(*co_await add("www.a.example", 0, 1), 1u) << "a root is not counted";
  EXPECT_EQ(*co_await add("1.a.example", 9, 2) + *co_await add("2.a.example", 9, 3), 2u);
  EXPECT_EQ(*co_await add("3.a.example", 9, 4), 0u);
  const auto refused = frontier.take_refused();
  EXPECT_TRUE(refused.size() == 1 && refused.front().host == "3.a.example");
  EXPECT_EQ(*co_await add("2.a.example", 9, 5), 1u) << "it is one of the two";
  EXPECT_EQ(*co_await add("www.a.example", 9, 6), 1u);
  EXPECT_EQ(*co_await add("1.b.example", 9, 7), 1u) << "another domain";
  EXPECT_EQ((co_await frontier.count())->found, 6u);
}

TEST(SharedFrontierTest, ADomainHasALimitedNumberOfHosts) { redis::run_with_redis(limit_hosts); }

Task<void> pause_hosts(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1, 2})}));
  const auto leased = co_await frontier.lease({.partitions = {1}});
  EXPECT_EQ(leased->size(), 1u);
  Completion done = {.partition = 1, .host = "h", .token = leased->front().token};
  done.position = {.batches = 0, .urls = 1};
  done.pause = 1h;
  done.then = Then::keep;
  done.state = "pace";
  done.kept = "robots";
  EXPECT_EQ((co_await frontier.complete({done})).front()->waiting, 1u);
  done.then = Then::release;
  done.state = "newer";
  done.kept = "";
  EXPECT_EQ((co_await frontier.complete({done})).front()->waiting, 1u);
  EXPECT_TRUE((co_await frontier.lease({.partitions = {1}}))->empty()) << "the host pauses";
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {3})}));
  EXPECT_TRUE((co_await frontier.lease({.partitions = {1}}))->empty()) << "new URLs change nothing";
  // The pause is over.
  static_cast<void>(co_await ask(client, node, {"ZADD", "R{m.1}", "0", "h"}));
  const auto next = co_await frontier.lease({.partitions = {1}});
  EXPECT_EQ(next->size(), 1u);
  EXPECT_EQ(next->front().state, "newer");
  EXPECT_EQ(next->front().kept, "robots") << "it was not sent again";
  EXPECT_EQ(next->front().pause, 1h);
}

TEST(SharedFrontierTest, ReleasedHostsPause) { redis::run_with_redis(pause_hosts); }

Task<void> pause_empty_hosts(redis::Client& client, redis::Node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1})}));
  const auto leased = co_await frontier.lease({.partitions = {1}});
  const auto done = co_await frontier.complete({{.partition = 1,
                                                 .host = "h",
                                                 .token = leased->front().token,
                                                 .position = {.batches = 1},
                                                 .pause = 1h}});
  EXPECT_TRUE(done.front().has_value());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {2})}));
  EXPECT_TRUE((co_await frontier.lease({.partitions = {1}}))->empty());
}

TEST(SharedFrontierTest, HostsThatWereEmptyPauseToo) { redis::run_with_redis(pause_empty_hosts); }

Task<void> freeze(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1})}));
  auto leased = co_await frontier.lease({.partitions = {1}});
  EXPECT_EQ(leased->size(), 1u);
  LeasedHost& host = leased->front();
  static_cast<void>(co_await ask(client, node, {"HSET", "C{m.1}", "f", "1"}));
  const Completion done = {.partition = 1, .host = "h", .token = host.token};
  const auto completed = co_await frontier.complete({done});
  EXPECT_EQ(completed.front().error().code(), Errc::unavailable);
  EXPECT_EQ((co_await frontier.renew({&host})).error().code(), Errc::unavailable);
  const auto added = co_await frontier.add({found_urls(1, "h", {2})});
  EXPECT_EQ(added.error().code(), Errc::unavailable);
  const auto again = co_await frontier.lease({.partitions = {1}});
  EXPECT_EQ(again.error().code(), Errc::unavailable);
  EXPECT_EQ((co_await frontier.count())->frozen, 1u);
  static_cast<void>(co_await ask(client, node, {"HDEL", "C{m.1}", "f"}));
  EXPECT_EQ(*co_await frontier.add({found_urls(1, "h", {2})}), 1u);
}

TEST(SharedFrontierTest, FrozenPartitionsRefuseEverything) { redis::run_with_redis(freeze); }

Task<void> keep_without_replica(redis::Client& client, redis::Node) {
  SharedFrontier careless = co_await open_frontier(client, lasting());
  SharedFrontier careful(client, {.crawl = "m", .replicas = 1}, [] { return 1; });
  EXPECT_TRUE(co_await careful.prepare("test", SharedFrontier::Prepare::verify));
  EXPECT_TRUE(co_await careless.add({found_urls(1, "h", {1, 2})}));
  auto leased = co_await careless.lease({.partitions = {1}});
  LeasedHost& host = leased->front();
  const Instant until = host.until;
  const auto renewed = co_await careful.renew({&host});
  EXPECT_EQ(renewed.error().code(), Errc::unavailable) << "a failing master would forget it";
  EXPECT_EQ(host.until, until);
  Completion done = {.partition = 1, .host = "h", .token = host.token};
  done.position.urls = 1;
  done.then = Then::keep;
  EXPECT_EQ((co_await careful.complete({done})).front().error().code(), Errc::unavailable);
  done.then = Then::release;
  const auto released = co_await careful.complete({done});
  EXPECT_TRUE(released.front().has_value()) << "a lost completion only repeats pages";
  EXPECT_EQ((co_await careful.count())->ended, 1u);
}

TEST(SharedFrontierTest, RenewedLeasesWaitForAReplica) {
  redis::run_with_redis(keep_without_replica);
}

Task<void> lose_partition(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1})}));
  EXPECT_EQ((co_await frontier.count())->open(), 1u);
  static_cast<void>(co_await ask(client, node, {"DEL", "C{m.1}"}));
  EXPECT_EQ((co_await frontier.count()).error().code(), Errc::not_found) << "it has not ended";
  EXPECT_EQ((co_await frontier.add({found_urls(1, "h", {2})})).error().code(), Errc::not_found);
  EXPECT_EQ((co_await frontier.lease({.partitions = {1}})).error().code(), Errc::not_found);
}

Task<void> join_after_loss(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1})}));
  static_cast<void>(co_await ask(client, node, {"DEL", "C{m.1}"}));
  SharedFrontier joining(client, {.crawl = "m"}, [] { return 1; });
  const auto verified = co_await joining.prepare("test", SharedFrontier::Prepare::verify);
  EXPECT_EQ(verified.error().code(), Errc::not_found);
  EXPECT_EQ((co_await frontier.count()).error().code(), Errc::not_found) << "nobody made it again";
  // A new crawl of the same name does not take over what is left.
  const auto made = co_await joining.prepare("other", SharedFrontier::Prepare::make);
  EXPECT_THAT(made.error().to_string(), HasSubstr("belongs to an older crawl"));
  EXPECT_EQ((co_await frontier.count()).error().code(), Errc::not_found);
  EXPECT_EQ((co_await frontier.add({found_urls(1, "h", {2})})).error().code(), Errc::not_found);
}

TEST(SharedFrontierTest, ANodeThatJoinsDoesNotHideALoss) { redis::run_with_redis(join_after_loss); }

Task<void> lose_one_of_two(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1}), found_urls(2, "k", {2})}));
  auto leased = co_await frontier.lease({.partitions = {1, 2}});
  EXPECT_EQ(leased->size(), 2u);
  static_cast<void>(co_await ask(client, node, {"DEL", "C{m.1}"}));
  leased->back().until = {};
  const auto lost = co_await frontier.renew({&leased->front(), &leased->back()});
  EXPECT_TRUE(lost.has_value() && lost->empty());
  EXPECT_GT(leased->back().until, Instant{}) << "the other lease is renewed";
  std::vector<Completion> done;
  for (const LeasedHost& each : *leased) {
    done.push_back({.partition = each.partition, .host = each.host, .token = each.token});
    done.back().position.batches = 1;
  }
  const auto completed = co_await frontier.complete(done);
  EXPECT_EQ(completed.front().error().code(), Errc::not_found);
  EXPECT_EQ(completed.back()->waiting, 0u);
}

TEST(SharedFrontierTest, ALostPartitionSparesTheOthers) { redis::run_with_redis(lose_one_of_two); }

Task<void> count_too_many_ends(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1})}));
  static_cast<void>(co_await ask(client, node, {"HSET", "C{m.2}", "e", "1"}));
  EXPECT_EQ((co_await frontier.count()).error().code(), Errc::unavailable) << "it has not ended";
}

TEST(SharedFrontierTest, EndsOfOnePartitionDoNotCountForAnother) {
  redis::run_with_redis(count_too_many_ends);
}

Task<void> release_twice(redis::Client& client, redis::Node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1, 2})}));
  const auto leased = co_await frontier.lease({.partitions = {1}});
  Completion done = {.partition = 1, .host = "h", .token = leased->front().token};
  done.position.urls = 1;
  for (int i = 0; i < 3; ++i) {
    if (i == 2) EXPECT_EQ((co_await frontier.lease({.partitions = {1}}))->size(), 1u);
    const auto released = co_await frontier.complete({done});
    EXPECT_FALSE(released.front()->is_lost);
    EXPECT_EQ(released.front()->waiting, 1u);
  }
  done.position = {.batches = 1};
  EXPECT_TRUE((co_await frontier.complete({done})).front()->is_lost) << "it is another one";
  done.position = {.batches = 0, .urls = 1};
  done.then = Then::keep;
  EXPECT_TRUE((co_await frontier.complete({done})).front()->is_lost) << "it is no longer held";
}

TEST(SharedFrontierTest, AReleaseCanBeSentTwice) { redis::run_with_redis(release_twice); }

Task<void> fetch_again(redis::Client& client, redis::Node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1, 2})}));
  const auto leased = co_await frontier.lease({.partitions = {1}});
  Completion done = {.partition = 1, .host = "h", .token = leased->front().token};
  done.position.urls = 1;
  done.then = Then::keep;
  EXPECT_EQ((co_await frontier.complete({done})).front()->waiting, 1u);
  done.again = batch_of({1});
  EXPECT_FALSE((co_await frontier.complete({done})).front().has_value()) << "it is not dropped";
  done.position = {.batches = 1};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ((co_await frontier.complete({done})).front()->waiting, 1u) << "once";
  }
  done.position = {};
  EXPECT_FALSE((co_await frontier.complete({done})).front().has_value()) << "it is behind";
}

TEST(SharedFrontierTest, UrlsToFetchAgainNeedProgress) { redis::run_with_redis(fetch_again); }

Task<void> keep_without_progress(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1, 2})}));
  for (std::uint32_t expired = 0; expired < 3; ++expired) {
    const auto leased = co_await frontier.lease({.partitions = {1}});
    EXPECT_EQ(leased->size(), 1u);
    EXPECT_EQ(leased->front().expired, expired);
    Completion kept = {.partition = 1, .host = "h", .token = leased->front().token};
    kept.then = Then::keep;
    EXPECT_TRUE((co_await frontier.complete({kept})).front().has_value());
    static_cast<void>(co_await ask(client, node, {"ZADD", "R{m.1}", "0", "h"}));
  }
}

TEST(SharedFrontierTest, OnlyProgressResetsExpiredLeases) {
  redis::run_with_redis(keep_without_progress);
}

TEST(SharedFrontierTest, ALostPartitionIsNoEnd) { redis::run_with_redis(lose_partition); }

Task<void> fill_memory(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1, 2})}));
  static_cast<void>(co_await ask(client, node, {"CONFIG", "SET", "maxmemory", "1"}));
  EXPECT_EQ((co_await frontier.add({found_urls(1, "h", {3})})).error().code(), Errc::no_space);
  const auto leased = co_await frontier.lease({.partitions = {1}});
  EXPECT_EQ(leased->size(), 1u) << "what is queued can be fetched";
  const auto done = co_await frontier.complete(
      {{.partition = 1, .host = "h", .token = leased->front().token, .position = {.batches = 1}}});
  EXPECT_TRUE(done.front().has_value());
  EXPECT_EQ((co_await frontier.count())->open(), 0u);
}

TEST(SharedFrontierTest, FullMemoryStopsOnlyNewUrls) { redis::run_with_redis(fill_memory); }

Task<void> interrupt_add(redis::Client& client, redis::Node node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  const std::vector<FoundUrls> found = {found_urls(1, "a", {1}), found_urls(1, "b", {2}),
                                        found_urls(1, "c", {3, 4})};
  for (const std::string queue : {"Q{m.1}b", "Q{m.1}c"}) {
    static_cast<void>(co_await ask(client, node, {"SET", queue, "not a list"}));
    EXPECT_FALSE((co_await frontier.add(found)).has_value());
    static_cast<void>(co_await ask(client, node, {"DEL", queue}));
  }
  EXPECT_EQ(*co_await frontier.add(found), 2u) << "the others were added before";
  EXPECT_EQ((co_await frontier.lease({.partitions = {1}}))->size(), 3u);
  EXPECT_EQ((co_await frontier.count())->hosts, 3u);
}

TEST(SharedFrontierTest, AnInterruptedCallLosesNothing) { redis::run_with_redis(interrupt_add); }

Task<void> add_large_blocks(redis::Client& client, redis::Node) {
  SharedFrontier frontier = co_await open_frontier(client, lasting());
  std::vector<FoundUrls> found;
  for (std::uint64_t i = 0; i < 40; ++i) {
    found.push_back({.partition = 3,
                     .host = "h" + std::to_string(i),
                     .fingerprints = {i},
                     .block = std::string(500'000, 'x')});
  }
  const std::uint64_t before = client.counts().commands;
  const std::uint64_t trips = client.counts().round_trips;
  const auto added = co_await frontier.add(std::move(found));
  EXPECT_TRUE(added.has_value()) << added.error().to_string();
  EXPECT_EQ(*added, 40u);
  EXPECT_GE(client.counts().commands - before, 20u) << "a function must not block its server";
  EXPECT_GE(client.counts().round_trips - trips, 3u) << "20 MB are not sent together";
}

TEST(SharedFrontierTest, LargeBlocksAreSentInParts) { redis::run_with_redis(add_large_blocks); }

Task<void> add_without_replica(redis::Client& client, redis::Node) {
  SharedFrontier careless = co_await open_frontier(client, lasting());
  SharedFrontier careful(client, {.crawl = "m", .replicas = 1, .patience = 5s}, [] { return 1; });
  EXPECT_TRUE(co_await careful.prepare("test", SharedFrontier::Prepare::verify));
  const auto added = co_await careful.add({found_urls(1, "h", {1})});
  EXPECT_EQ(added.error().code(), Errc::unavailable);
  EXPECT_TRUE(co_await careless.add({found_urls(1, "h", {1, 2})}));
  const auto leased = co_await careful.lease({.partitions = {1}});
  EXPECT_EQ(leased.error().code(), Errc::unavailable);
  SharedFrontier fresh(client, {.crawl = "n", .replicas = 1, .patience = 1s}, [] { return 1; });
  EXPECT_FALSE(co_await fresh.prepare("new", SharedFrontier::Prepare::make));
}

TEST(SharedFrontierTest, NewUrlsAndLeasesWaitForAReplica) {
  redis::run_with_redis(add_without_replica);
}

}  // namespace
}  // namespace gossamer::cluster
