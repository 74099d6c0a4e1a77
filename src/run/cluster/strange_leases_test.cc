// Tests what calls of the shared frontier make of replies that no function of ours sends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "base/error.h"
#include "cluster/health.h"
#include "cluster/layout.h"
#include "cluster/new_owners.h"
#include "cluster/partition_facts.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "redis/client.h"
#include "redis/server_url.h"
#include "tests/redis_model/dataset.h"
#include "tests/support/redis_script.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Reply;
using redis::Words;
using redis_model::array;
using redis_model::integer;
using redis_model::text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// BORROWS: the client.
SharedFrontier frontier_of(redis::Client& client) {
  return {client, {.crawl = "m", .partitions = 3, .patience = 1s}, [n = 0ull]() mutable {
            return ++n;
          }};
}

Reply leased(std::vector<Reply> more, std::string first = "1") {
  std::vector<Reply> items = {text("h"), text(std::move(first)), text("0"),   text("250"),
                              text("2"), text("state"),          text("kept")};
  for (Reply& each : more) items.push_back(std::move(each));
  return array(std::move(items));
}

std::string batch_of_two() { return write_batch({.count = 2, .live = 2, .mask = 3, .block = "b"}); }

Task<void> read_lease(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  script.on("g4_lease", array({leased({text(batch_of_two())})}));
  const Instant now = async::Loop::current().now();
  const auto hosts = co_await frontier.lease({.partitions = {2}, .hosts_max = 5, .urls = 6});
  EXPECT_TRUE(hosts && hosts->size() == 1);
  const LeasedHost& host = hosts->front();
  EXPECT_EQ(host.partition, 2u);
  EXPECT_EQ(host.host, "h");
  EXPECT_EQ(host.token.size(), 32u);
  EXPECT_EQ(host.until, now + 28s) << "it ends here before it ends in Redis";
  EXPECT_EQ(host.position, (Position{.batches = 1, .urls = 0}));
  EXPECT_EQ(host.pause, 250ms);
  EXPECT_EQ(host.expired, 2u);
  EXPECT_EQ(host.state, "state");
  EXPECT_EQ(host.kept, "kept");
  EXPECT_EQ(host.batches.size(), 1u);
  EXPECT_THAT(script.last,
              ElementsAre("FCALL", "g4_lease", "1", "C{m.2}", host.token, "5", "6", "30000", ""));
}

TEST(StrangeLeases, ALeaseReturnsEverythingOfTheHost) { run_script(read_lease); }

Task<void> read_strange_leases(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  std::vector<Reply> wrong = {text("h"), array({text("h"), text("1")}), leased({text("no batch")}),
                              leased({}, "-1"), leased({}, "x")};
  for (const std::size_t field : {2, 3, 4}) {
    Reply reply = leased({});
    reply.items[field] = text("-1");
    wrong.push_back(reply);
  }
  Reply beyond = leased({text(batch_of_two())});
  beyond.items[2] = text("2");  // the batch has two URLs
  wrong.push_back(beyond);
  for (const Reply& each : wrong) {
    script.on("g4_lease", array({each}));
    const auto none = co_await frontier.lease({.partitions = {1}});
    EXPECT_TRUE(!none && none.error() == Errc::malformed);
    script.on("g4_lease", array({each, leased({})}));
    const auto one = co_await frontier.lease({.partitions = {1}});
    EXPECT_TRUE(one && one->size() == 1) << "the other host is good";
  }
  script.on("g4_lease", array({}));
  const auto nothing = co_await frontier.lease({.partitions = {1}});
  EXPECT_TRUE(nothing && nothing->empty());
}

TEST(StrangeLeases, AMalformedHostDoesNotSpoilTheOthers) { run_script(read_strange_leases); }

Task<void> read_completions(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  const std::vector<Completion> two = {{.partition = 1, .host = "a", .token = "t"},
                                       {.partition = 1, .host = "b", .token = "u"}};
  const Instant now = async::Loop::current().now();
  script.on("g4_complete", array({array({integer(7), text(batch_of_two())}), integer(-1)}));
  auto done = co_await frontier.complete(two);
  EXPECT_EQ(done.size(), 2u);
  EXPECT_FALSE(done[0]->is_lost);
  EXPECT_EQ(done[0]->waiting, 7u);
  EXPECT_EQ(done[0]->until, now + 28s);
  EXPECT_EQ(done[0]->batches.size(), 1u);
  EXPECT_TRUE(done[1]->is_lost);
  script.on("g4_complete", array({array({integer(-7)}), integer(-2)}));
  done = co_await frontier.complete(two);
  EXPECT_EQ(done[0]->waiting, 0u);
  EXPECT_EQ(done[1].error().code(), Errc::malformed) << "only -1 says that it is lost";
  script.on("g4_complete", array({array({}), array({integer(1), text("no batch")})}));
  done = co_await frontier.complete(two);
  EXPECT_EQ(done[0].error().code(), Errc::malformed);
  EXPECT_EQ(done[1].error().code(), Errc::malformed);
  for (const Reply& reply : {array({array({integer(1)})}), integer(-1)}) {
    script.on("g4_complete", reply);
    done = co_await frontier.complete(two);
    EXPECT_EQ(done[0].error().code(), Errc::malformed) << "it is unknown whose answer that is";
    EXPECT_EQ(done[1].error().code(), Errc::malformed);
  }
}

TEST(StrangeLeases, EachCompletionHasItsAnswer) { run_script(read_completions); }

Task<void> read_renewals(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  LeasedHost first = {.partition = 1, .host = "a", .token = "t"};
  LeasedHost second = {.partition = 1, .host = "b", .token = "u"};
  LeasedHost third = {.partition = 2, .host = "c", .token = "v"};
  const Instant until = async::Loop::current().now() + 28s;
  script.on("g4_renew", [](const Words& words) {
    if (words[3] == "C{m.1}") return array({integer(1), integer(0)});
    return array({integer(1), integer(1)});  // there was one host
  });
  const auto lost = co_await frontier.renew({&first, &second, &third});
  EXPECT_TRUE(lost.has_value());
  EXPECT_THAT(*lost, ElementsAre("b"));
  EXPECT_EQ(first.until, until);
  EXPECT_LT(second.until, until);
  EXPECT_LT(third.until, until) << "nothing is known of it";
  script.on("g4_renew", array({text("yes")}));
  EXPECT_THAT(*co_await frontier.renew({&third}), ElementsAre("c"));
  script.on("g4_renew", array({}));
  const auto none = co_await frontier.renew({&third});
  EXPECT_TRUE(!none && none.error() == Errc::malformed);
}

TEST(StrangeLeases, OnlyOneRenewsALease) { run_script(read_renewals); }

Task<void> read_added(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  const std::vector<FoundUrls> found = {
      {.partition = 1, .host = "a", .fingerprints = {1}, .block = "x"},
      {.partition = 1, .host = "b", .fingerprints = {2, 3}, .block = "y"}};
  script.on("g4_add", array({integer(1), integer(-1)}));
  EXPECT_EQ(*co_await frontier.add(found), 1u);
  const auto refused = frontier.take_refused();
  EXPECT_TRUE(refused.size() == 1 && refused.front().host == "b");
  EXPECT_THAT(frontier.take_left(), IsEmpty());
  for (const Reply& reply : {array({integer(1)}), array({integer(1), integer(-2)}), integer(2),
                             array({integer(1), text("one")})}) {
    script.on("g4_add", reply);
    const auto added = co_await frontier.add(found);
    EXPECT_TRUE(!added && added.error() == Errc::malformed);
    EXPECT_THAT(frontier.take_left(), ElementsAre(0u, 1u)) << "they can be sent again";
  }
}

TEST(StrangeLeases, EveryGroupOfUrlsHasItsCount) { run_script(read_added); }

std::vector<std::string> good_partition(std::string identity) {
  // v, a, h, l, f, n, p, z, s, e
  return {std::move(identity), "9", "3", "2", "", "", "4", "6", "1", "5"};
}

Task<void> read_counts_of(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  script.on("HGET", text("i"));
  EXPECT_TRUE(co_await frontier.prepare("i", SharedFrontier::Prepare::verify));
  script.on("ZCARD", integer(7));
  script.on("HMGET", [](const Words& words) {
    std::vector<std::string> fields = good_partition("i");
    if (words[1] == "C{m.0}") {
      fields[6] = fields[7] = "0";
      fields[9] = "9";
      fields[4] = "why";
    }
    if (words[1] == "C{m.1}") {
      fields[6] = "1";
      fields[7] = "5";
      fields[8] = "3";
    }
    return array_of(fields);
  });
  const auto counts = co_await frontier.count();
  EXPECT_TRUE(counts.has_value()) << counts.error().to_string();
  EXPECT_EQ(counts->found, 27u);
  EXPECT_EQ(counts->ended, 19u);
  EXPECT_EQ(counts->open(), 8u);
  EXPECT_EQ(counts->hosts, 9u);
  EXPECT_EQ(counts->leased, 6u);
  EXPECT_EQ(counts->due, 21u);
  EXPECT_EQ(counts->frozen, 1u);
  EXPECT_EQ(counts->parked, 5u);
  EXPECT_EQ(counts->lowest_parked, 5u);
  EXPECT_EQ(counts->first_step, 1u);
  EXPECT_EQ(counts->last_step, 3u);
  EXPECT_FALSE(counts->is_level_over()) << "not all partitions have the same level";
}

TEST(StrangeLeases, CountsAreSumsOfAllPartitions) { run_script(read_counts_of); }

Task<void> read_strange_counts(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  script.on("HGET", text("i"));
  EXPECT_TRUE(co_await frontier.prepare("i", SharedFrontier::Prepare::verify));
  std::vector<std::string> fields = good_partition("i");
  fields.pop_back();
  script.on("HMGET", array_of(fields));
  EXPECT_EQ((co_await frontier.count()).error().code(), Errc::malformed);
  script.on("HMGET", array_of(good_partition("j")));
  EXPECT_EQ((co_await frontier.count()).error().code(), Errc::not_found) << "another crawl";
  fields = good_partition("i");
  fields[9] = "6";  // and 4 wait, of 9
  script.on("HMGET", array_of(fields));
  EXPECT_EQ((co_await frontier.count()).error().code(), Errc::unavailable);
}

TEST(StrangeLeases, ImpossibleCountsAreNoCounts) { run_script(read_strange_counts); }

// What is found between two counts is open: the first one was too early.
Task<void> count_twice(redis::Client& client, RedisScript& script) {
  int calls = 0;
  script.on("HMGET", [&calls](const Words&) {
    std::vector<std::string> fields = good_partition("i");
    fields[6] = "0";
    fields[1] = fields[9] = calls++ < 2 ? "4" : "6";
    return array_of(fields);
  });
  const auto facts = co_await read_partitions(client, "m", 2, script_deadline());
  EXPECT_TRUE(facts && facts->size() == 2);
  for (const PartitionFacts& each : *facts) {
    EXPECT_EQ(each.found, 6u);
    EXPECT_EQ(each.ended, 4u);
  }
  script.on("HMGET", array_of(good_partition("i")));
  const std::size_t before = script.times("HMGET");
  static_cast<void>(co_await read_partitions(client, "m", 2, script_deadline()));
  EXPECT_EQ(script.times("HMGET") - before, 4u) << "9 found, 4 wait and 5 ended: nothing is open";
  std::vector<std::string> open = good_partition("i");
  open[9] = "4";
  script.on("HMGET", array_of(open));
  static_cast<void>(co_await read_partitions(client, "m", 2, script_deadline()));
  EXPECT_EQ(script.times("HMGET") - before, 6u) << "what is open needs no second look";
}

TEST(StrangeLeases, AnEndIsSeenTwice) { run_script(count_twice); }

Task<void> take_steps(redis::Client& client, RedisScript& script) {
  SharedFrontier frontier = frontier_of(client);
  int calls = 0;
  // The second partition has more to move than one call moves.
  script.on("g4_step", [&calls](const Words& words) {
    ++calls;
    return integer(words[3] == "C{m.1}" && calls < 6 ? 0 : 1);
  });
  EXPECT_TRUE(co_await frontier.take_step({.number = 5, .depth = 2}));
  EXPECT_EQ(calls, 6) << "only that one is called again";
  EXPECT_THAT(script.last, ElementsAre("FCALL", "g4_step", "1", "C{m.1}", "5", "2", ""));
}

TEST(StrangeLeases, AStepIsTakenByAllPartitions) { run_script(take_steps); }

}  // namespace
}  // namespace gossamer::cluster
