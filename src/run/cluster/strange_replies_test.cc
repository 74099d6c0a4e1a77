// Tests what calls of a shared crawl make of replies that no function of ours sends: those of
// another version, of a damaged server, or of an attacker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "base/error.h"
#include "cluster/function_library.h"
#include "cluster/health.h"
#include "cluster/key_scan.h"
#include "cluster/new_owners.h"
#include "cluster/partition_facts.h"
#include "cluster/root_places.h"
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
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// --- facts of the crawl

std::vector<std::string> good_facts() {
  return {std::string(kLayoutVersion), "s", "2", "pause", "1", "", "70", "i", "30", "4", "5"};
}

Task<void> read_facts_of_beat(redis::Client& client, RedisScript& script) {
  SharedCrawl crawl(client, {.crawl = "m", .node = "a"});
  script.on("g4_beat", array_of(good_facts()));
  const auto facts = co_await crawl.beat("report", 7);
  EXPECT_TRUE(facts.has_value());
  EXPECT_EQ(facts->identity, "i");
  EXPECT_EQ(facts->replicas, 2u);
  EXPECT_EQ(facts->control, Control::pause);
  EXPECT_TRUE(facts->has_begun);
  EXPECT_EQ(facts->end, "");
  EXPECT_EQ(facts->pages_left, 70u);
  EXPECT_EQ(facts->pages_reserved, 30u);
  EXPECT_EQ(facts->nodes, 4u);
  EXPECT_EQ(facts->orders, 5u);
  EXPECT_THAT(script.last, ElementsAre("FCALL", "g4_beat", "1", "G{m}", "a", "report", "60000", "7",
                                       "" /* it has not joined */));
}

TEST(StrangeReplies, ABeatReturnsEveryFactOfTheCrawl) { run_script(read_facts_of_beat); }

// BORROWS: both.
Task<Errc> error_of_beat(redis::Client& client, RedisScript& script, Reply reply) {
  SharedCrawl crawl(client, {.crawl = "m", .node = "a", .patience = 1s});
  script.on("g4_beat", std::move(reply));
  const auto facts = co_await crawl.beat("", 0);
  EXPECT_FALSE(facts.has_value());
  co_return facts ? Errc::internal : facts.error().code();
}

Task<void> read_strange_facts(redis::Client& client, RedisScript& script) {
  std::vector<std::string> few = good_facts();
  few.pop_back();
  EXPECT_EQ(co_await error_of_beat(client, script, array_of(few)), Errc::malformed);
  std::vector<std::string> many = good_facts();
  many.emplace_back("x");
  EXPECT_EQ(co_await error_of_beat(client, script, array_of(many)), Errc::malformed);
  EXPECT_EQ(co_await error_of_beat(client, script, text("facts")), Errc::malformed);
  std::vector<std::string> word = good_facts();
  word[3] = "sleep";
  EXPECT_EQ(co_await error_of_beat(client, script, array_of(word)), Errc::malformed);
  word[1] = "";  // without settings, but with a control
  EXPECT_EQ(co_await error_of_beat(client, script, array_of(word)), Errc::malformed);
  std::vector<std::string> other = good_facts();
  other[0] = "3";
  EXPECT_EQ(co_await error_of_beat(client, script, array_of(other)), Errc::unsupported);
}

TEST(StrangeReplies, FactsOfAnotherShapeAreRejected) { run_script(read_strange_facts); }

Task<void> read_negative_facts(redis::Client& client, RedisScript& script) {
  SharedCrawl crawl(client, {.crawl = "m", .node = "a"});
  std::vector<std::string> facts = good_facts();
  facts[2] = facts[6] = facts[8] = facts[9] = facts[10] = "-3";
  facts[4] = "";
  script.on("g4_beat", array_of(facts));
  const auto read = co_await crawl.beat("", 0);
  EXPECT_TRUE(read.has_value());
  EXPECT_EQ(read->replicas, 0u);
  EXPECT_EQ(read->pages_left, 0u);
  EXPECT_EQ(read->pages_reserved, 0u);
  EXPECT_EQ(read->nodes, 0u);
  EXPECT_EQ(read->orders, 0u);
  EXPECT_FALSE(read->has_begun);
}

TEST(StrangeReplies, NegativeCountsAreZero) { run_script(read_negative_facts); }

Task<void> read_numbers(redis::Client& client, RedisScript& script) {
  SharedCrawl crawl(client, {.crawl = "m", .node = "a"});
  for (const Reply& reply : {integer(-1), text("many"), array({})}) {
    script.on("g4_quota", reply);
    const auto given = co_await crawl.take_pages(3, 1);
    EXPECT_TRUE(!given && given.error() == Errc::malformed);
    script.on("g4_reserve", reply);
    const auto wait = co_await crawl.reserve("192.0.2.1", 1s, 1);
    EXPECT_TRUE(!wait && wait.error() == Errc::malformed);
  }
  script.on("g4_quota", integer(0));
  EXPECT_EQ(*co_await crawl.take_pages(3, 1), 0u);
  script.on("g4_reserve", integer(0));
  EXPECT_EQ(*co_await crawl.reserve("192.0.2.1", 1s, 1), 0s);
}

TEST(StrangeReplies, PagesAndMomentsAreNumbers) { run_script(read_numbers); }

Task<void> read_levels(redis::Client& client, RedisScript& script) {
  SharedCrawl crawl(client, {.crawl = "m", .node = "a"});
  for (const Reply& reply :
       {array({integer(1)}), array({integer(-1), integer(1)}), array({integer(1), integer(-1)}),
        array({integer(1), integer(65'536)}), array({integer(1), integer(1), integer(1)})}) {
    script.on("g4_level", reply);
    const auto step = co_await crawl.level({});
    EXPECT_TRUE(!step && step.error() == Errc::malformed);
  }
  script.on("g4_level", array({integer(0), integer(65'535)}));
  const auto step = co_await crawl.level({.number = 4, .depth = 2});
  EXPECT_TRUE(step && step->number == 0 && step->depth == 65'535);
}

TEST(StrangeReplies, ALevelHasANumberAndADepth) { run_script(read_levels); }

Task<void> read_answers(redis::Client& client, RedisScript& script) {
  SharedCrawl crawl(client, {.crawl = "m", .node = "a"});
  for (const std::int64_t number : {0, 1, 2}) {
    for (const std::string function : {"g4_finish", "g4_control", "g4_order"}) {
      script.on(function, integer(number));
    }
    EXPECT_EQ(*co_await crawl.finish("done"), number == 1);
    EXPECT_EQ(*co_await crawl.control(Control::pause), number == 1);
    EXPECT_EQ(*co_await crawl.order("x"), number > 0) << "it is the number of orders";
  }
}

TEST(StrangeReplies, OnlyOneMeansThatACallHadAnEffect) { run_script(read_answers); }

Task<void> read_nodes(redis::Client& client, RedisScript& script) {
  SharedCrawl crawl(client, {.crawl = "m", .node = "a"});
  script.on("TIME", array_of({"1000", "500000"}));
  script.on("ZRANGE", array_of({"a", "990000", "b", "2000000", "c", "when", "d"}));
  script.on("HGETALL", array_of({"a", "report of a", "c"}));
  const auto nodes = co_await crawl.nodes();
  EXPECT_TRUE(nodes.has_value());
  EXPECT_EQ(nodes->size(), 3u);
  EXPECT_EQ((*nodes)[0].name, "a");
  EXPECT_EQ((*nodes)[0].unseen, 10'500ms);
  EXPECT_EQ((*nodes)[0].report, "report of a");
  EXPECT_EQ((*nodes)[1].unseen, 0s) << "another clock is ahead";
  EXPECT_EQ((*nodes)[2].unseen, 0s) << "it is not a moment";
  EXPECT_EQ((*nodes)[2].report, "");
  for (const Reply& clock : {array_of({"1000"}), array_of({"1000", "1", "1"}), text("noon")}) {
    script.on("TIME", clock);
    const auto none = co_await crawl.nodes();
    EXPECT_TRUE(!none && none.error() == Errc::malformed);
  }
}

TEST(StrangeReplies, NodesAreReadAsFarAsTheyMakeSense) { run_script(read_nodes); }

// --- functions

Task<void> load_functions(redis::Client& client, RedisScript& script) {
  const std::string ours = library_source();
  script.on("LIST", array({array_of({"library_name", "gossamer", "library_code", ours})}));
  EXPECT_TRUE(co_await install_functions(client, script_deadline()));
  EXPECT_EQ(script.times("LOAD"), 0u) << "it has them";
  std::size_t loads = 0;
  for (const Reply& listed :
       {array({}), text("none"), array({array_of({"library_code", ours + "-- changed"})}),
        array({array_of({"library_name", ours})}), array({array_of({"library_code"})})}) {
    script.on("LIST", listed);
    EXPECT_TRUE(co_await install_functions(client, script_deadline()));
    EXPECT_EQ(script.times("LOAD"), ++loads) << "it has others";
    EXPECT_THAT(script.last, ElementsAre("FUNCTION", "LOAD", "REPLACE", ours))
        << "it has no replica";
  }
  script.on("LOAD", redis_model::error("ERR Error compiling function"));
  EXPECT_FALSE(co_await install_functions(client, script_deadline()));
  script.on("LIST", redis_model::error("ERR unknown command 'FUNCTION'"));
  const auto old = co_await install_functions(client, script_deadline());
  EXPECT_TRUE(!old && old.error() == Errc::unsupported);
  EXPECT_THAT(old.error().to_string(), HasSubstr("8.1.1.1:7001 has no functions; use Redis 7"));
}

TEST(StrangeReplies, FunctionsAreLoadedIfTheSourceDiffers) { run_script(load_functions); }

Task<void> load_when_ready(redis::Client& client, RedisScript& script) {
  int lists = 0;
  script.on("LIST", [&lists](const Words&) {
    return ++lists < 4 ? redis_model::error("LOADING Redis is loading the dataset") : array({});
  });
  const Instant begin = async::Loop::current().now();
  EXPECT_TRUE(co_await install_functions(client, script_deadline()));
  EXPECT_EQ(lists, 4);
  EXPECT_GE(async::Loop::current().now() - begin, 300ms) << "it pauses before it tries again";
  lists = -1'000'000;
  const auto late = co_await install_functions(client, async::Loop::current().now() + 2s);
  EXPECT_FALSE(late.has_value());
  EXPECT_THAT(late.error().to_string(), HasSubstr("while loading functions"));
}

// The server is a cluster with a replica that nobody reaches.
Task<void> wait_for_replica(redis::Client& client, RedisScript& script) {
  const auto place = [](std::int64_t port) {
    return array({text(kScriptedServer.host), integer(port), text("id" + std::to_string(port))});
  };
  script.on("CLUSTER", array({array({integer(0), integer(16'383), place(7001), place(7002)})}));
  EXPECT_TRUE(co_await client.reload(script_deadline()));
  EXPECT_TRUE(co_await install_functions(client, script_deadline()));
  EXPECT_THAT(script.last, ElementsAre("WAIT", "1", "1000"));
}

TEST(StrangeReplies, AReplicaGetsTheFunctionsSoon) { run_script(wait_for_replica); }

TEST(StrangeReplies, FunctionsAreLoadedWhenTheServerIsReady) { run_script(load_when_ready); }

// --- keys

Task<void> scan_keys(redis::Client& client, RedisScript& script) {
  int calls = 0;
  script.on("SCAN", [&calls](const Words& words) {
    EXPECT_THAT(words, ElementsAre("SCAN", calls == 0 ? "0" : "17", "MATCH", "G{*}", "COUNT", _));
    return ++calls == 1 ? array({text("17"), array_of({"G{zoo}", "G{art}"})})
                        : array({text("0"), array_of({"G{mu}"})});
  });
  KeyScan scan(client, {kScriptedServer}, "G{*}", 5s);
  EXPECT_THAT(**co_await scan.next(), ElementsAre("G{zoo}", "G{art}"));
  EXPECT_THAT(**co_await scan.next(), ElementsAre("G{mu}"));
  EXPECT_FALSE(*co_await scan.next()) << "all servers were asked";
  EXPECT_EQ(calls, 2);
  for (const Reply& reply : {array({text("0")}), text("0"), redis_model::error("ERR no")}) {
    script.on("SCAN", reply);
    EXPECT_FALSE(co_await KeyScan(client, {kScriptedServer}, "G{*}", 5s).next());
  }
}

TEST(StrangeReplies, AScanFollowsTheCursorOfTheServer) { run_script(scan_keys); }

Task<void> read_places(redis::Client& client, RedisScript& script) {
  script.on("SMEMBERS", array_of({"https://a.example/", "https://b.example/"}));
  const auto places = co_await root_places(client, "m", script_deadline());
  EXPECT_TRUE(places.has_value());
  EXPECT_THAT(*places, ElementsAre("https://a.example/", "https://b.example/"));
  EXPECT_THAT(script.last, ElementsAre("SMEMBERS", "W{m}"));
  EXPECT_TRUE(co_await add_root_places(client, "m", {"https://c.example/"}, script_deadline()));
  EXPECT_THAT(script.last, ElementsAre("FCALL", "g4_widen", "1", "G{m}", "https://c.example/"));
  script.on("g4_widen", redis_model::error("FROZEN {m} is being moved"));
  const auto frozen =
      co_await add_root_places(client, "m", {"x"}, async::Loop::current().now() + 1s);
  EXPECT_TRUE(!frozen && frozen.error() == Errc::unavailable);
  script.on("SMEMBERS", redis_model::error("ERR no"));
  EXPECT_FALSE(co_await root_places(client, "m", script_deadline()));
}

TEST(StrangeReplies, PlacesOfRootsAreASet) { run_script(read_places); }

// --- health

Task<void> examine_one(redis::Client& client, RedisScript& script) {
  script.on("INFO", text("# Server\r\nredis_version:7.2.0\r\nconnected_slaves:2\r\n"));
  script.on("TIME", array_of({"100", "250000"}));
  script.on("CONFIG", redis_model::error("NOPERM this user has no permissions"));
  const auto hidden = co_await examine(client, script_deadline());
  EXPECT_TRUE(hidden && hidden->masters.size() == 1);
  EXPECT_FALSE(hidden->is_cluster);
  const ServerFacts& facts = hidden->masters.front();
  EXPECT_EQ(facts.name, "8.1.1.1:7001");
  EXPECT_EQ(facts.replicas, 2u);
  EXPECT_EQ(facts.configuration.size(), 0u);
  EXPECT_EQ(facts.clock_offset, 0s) << "it is the first master";
  script.on("CONFIG", [](const Words& words) { return array_of({words[2], "yes"}); });
  const auto shown = co_await examine(client, script_deadline());
  EXPECT_EQ(shown->masters.front().configuration.size(), 2u);
  EXPECT_EQ(shown->masters.front().configuration.at("cluster-require-full-coverage"), "yes");
  script.on("INFO", redis_model::error("NOPERM this user has no permissions"));
  EXPECT_FALSE(co_await examine(client, script_deadline()));
}

TEST(StrangeReplies, AServerIsExaminedAsFarAsItAllows) { run_script(examine_one); }

}  // namespace
}  // namespace gossamer::cluster
