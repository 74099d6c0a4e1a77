// Moves slots of a real cluster that holds a crawl.
#include "cluster/reshard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "cluster/layout.h"
#include "cluster/partition_facts.h"
#include "cluster/purge.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "redis/slot.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/command_run.h"
#include "tests/support/suite.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using redis::TestClient;
using testing::HasSubstr;

std::string host_in(std::uint32_t partition) {
  return "h" + std::to_string(partition) + ".example";
}

// The crawl "m" with two URLs in each partition.
class CrawlInCluster {
 public:
  explicit CrawlInCluster(std::vector<redis::Node> seeds)
      : client(std::move(seeds)),
        crawl(*client, {.crawl = "m", .node = "a"}),
        frontier(*client, {.crawl = "m", .patience = support::kPatience},
                 [n = 0ull]() mutable { return ++n; }) {}

  // BORROWS: this.
  Task<Result<void>> begin() {
    if (auto opened = co_await client->open(redis::in_time()); !opened) co_return opened;
    if (auto loaded = co_await install_functions(*client, redis::in_time()); !loaded)
      co_return loaded;
    auto purged = co_await purge(*client, "m", support::kPatience);
    if (!purged) co_return fail(std::move(purged).error());
    auto joined = co_await crawl.join({.settings = "s", .identity = "i"});
    if (!joined) co_return fail(std::move(joined).error());
    auto made = co_await frontier.prepare("i", SharedFrontier::Prepare::make);
    if (!made) co_return made;
    std::vector<FoundUrls> found;
    for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
      found.push_back(found_urls(partition, host_in(partition), {1, 2}));
    }
    auto added = co_await frontier.add(std::move(found));
    if (!added) co_return fail(std::move(added).error());
    co_return co_await crawl.begin();
  }

  // Leases and completes everything. Returns the number of URLs. BORROWS: this.
  Task<std::uint64_t> drain() {
    std::uint64_t urls = 0;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < kPartitions; ++i) all.push_back(i);
    auto leased = co_await frontier.lease({.partitions = all});
    EXPECT_TRUE(leased.has_value()) << leased.error().to_string();
    std::vector<Completion> completions;
    for (const LeasedHost& host : *leased) {
      Holding holding(host);
      urls += holding.advance(holding.urls()).size();
      completions.push_back({.partition = host.partition,
                             .host = host.host,
                             .token = host.token,
                             .position = holding.position()});
    }
    for (const auto& done : co_await frontier.complete(std::move(completions))) {
      EXPECT_TRUE(done.has_value()) << done.error().to_string();
    }
    co_return urls;
  }

  TestClient client;
  SharedCrawl crawl;
  SharedFrontier frontier;
};

// The partition that is in the slot of number 0, and another master for it.
struct Example {
  std::uint16_t slot = redis::slot_of(partition_key("m", 0));
  std::string from;
  std::string to;

  // BORROWS: the client.
  explicit Example(redis::Client& client) {
    from = client.slots().master_of(slot)->id;
    for (const redis::SlotMap::Master& master : client.slots().masters()) {
      if (master.id != from) to = master.id;
    }
  }

  redis::Node to_node(const redis::Client& client) const {
    for (const redis::SlotMap::Master& master : client.slots().masters()) {
      if (master.id == to) return master.node;
    }
    return {};
  }
};

// Runs a test with a crawl.
using CrawlTest = std::function<Task<void>(CrawlInCluster& crawl)>;

Task<void> prepare(std::vector<redis::Node> seeds, CrawlTest test) {
  CrawlInCluster crawl(std::move(seeds));
  const auto begun = co_await crawl.begin();
  EXPECT_TRUE(begun.has_value()) << begun.error().to_string();
  if (begun) co_await test(crawl);
  co_await crawl.client.close();
}

class ReshardTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
    if (!support::is_installed(redis::kRedisServer)) {
      GTEST_SKIP() << "redis-server is not installed";
    }
    if (cluster_ != nullptr) return;
    // No server may be replaced because the machine is busy.
    cluster_ = std::make_unique<redis::RedisCluster>(redis::RedisCluster::kSteady);
    ASSERT_NO_FATAL_FAILURE(cluster_->form());
  }
  static void TearDownTestSuite() { cluster_.reset(); }
  void run(CrawlTest test) {
    async::Loop loop;
    loop.run(prepare(cluster_->seeds(), std::move(test)));
  }
  std::string url() const {
    return "redis://127.0.0.1:" + std::to_string(cluster_->server(1).port()) + "/m";
  }

  // One for all tests, because a cluster takes seconds to form.
  static inline std::unique_ptr<redis::RedisCluster> cluster_;
};

// Moves everything away from one master and back, and interrupts a move after each step.
Task<void> move_slots(CrawlInCluster& crawl) {
  redis::Client& client = *crawl.client;
  const Example example(client);
  {
    Reshard reshard(client, {.keys_in_step = 2});
    EXPECT_TRUE(co_await reshard.open());
    const auto moves = plan_from(reshard.used_slots(), example.from, example.to, 1000);
    EXPECT_GT(moves.size(), 50u);
    const auto moved = co_await reshard.move(moves);
    EXPECT_TRUE(moved.has_value()) << moved.error().to_string();
    EXPECT_EQ(reshard.result().slots, moves.size());
    EXPECT_EQ(reshard.result().replaced, 0u);
    EXPECT_GE(reshard.result().keys, 4 * moves.size());
    const auto even = plan_even(reshard.used_slots(), reshard.servers().masters());
    EXPECT_GT(even.size(), 50u);
    EXPECT_TRUE(co_await reshard.move(even));
  }
  const auto counts = co_await crawl.frontier.count();
  EXPECT_TRUE(counts.has_value()) << counts.error().to_string();
  EXPECT_EQ(counts->found, 2u * kPartitions);
  EXPECT_EQ(counts->frozen, 0u);
  EXPECT_EQ(counts->misplaced, 0u);
  EXPECT_TRUE(co_await crawl.crawl.beat("", 0));
  EXPECT_EQ(co_await crawl.drain(), 2u * kPartitions);
  EXPECT_EQ((co_await crawl.frontier.count())->open(), 0u);
}

TEST_F(ReshardTest, SlotsMoveWithTheirKeys) { run(move_slots); }

// The number of keys of a slot in a server, when they are gone or it takes too long.
// BORROWS: the client.
Task<std::int64_t> keys_left(redis::Client& client, redis::Node node, std::uint16_t slot) {
  for (const Instant until = redis::in_time();;) {
    const auto count =
        co_await ask(client, node, {"CLUSTER", "COUNTKEYSINSLOT", std::to_string(slot)});
    if (count && count->as_integer(-1) == 0) co_return 0;
    const bool is_late = async::Loop::current().now() >= until;
    if (is_late || !co_await async::sleep(50ms)) co_return count ? count->as_integer(-1) : -1;
  }
}

// A replica that has old keys gets them into its file. After a restart, Redis takes the slot for
// one that is being moved, and ignores servers that replace its owner.
Task<void> leave_slot(CrawlInCluster& crawl) {
  redis::Client& client = *crawl.client;
  const Example example(client);
  const redis::SlotMap::Master former = *client.slots().master_of(example.slot);
  EXPECT_FALSE(former.replicas.empty());
  Reshard reshard(client, {});
  EXPECT_TRUE(co_await reshard.open());
  EXPECT_TRUE(co_await reshard.move({{example.slot, example.from, example.to}}));
  EXPECT_TRUE(reshard.result().unclean.empty());
  EXPECT_EQ(co_await keys_left(client, former.node, example.slot), 0);
  for (const redis::Node& replica : former.replicas) {
    EXPECT_EQ(co_await keys_left(client, replica, example.slot), 0);
  }
  EXPECT_EQ(co_await crawl.drain(), 2u * kPartitions);
}

TEST_F(ReshardTest, TheFormerOwnerAndItsReplicaHaveNoKeysOfTheSlot) { run(leave_slot); }

// Copies keys as the command does. BORROWS: the client.
Task<Result<redis::Reply>> copy_key(redis::Client& client, redis::Node from, redis::Node to,
                                    std::string key) {
  co_return co_await ask(
      client, from,
      {"MIGRATE", "127.0.0.1", std::to_string(to.port), key, "0", "4000", "COPY", "REPLACE"});
}

// What a killed command leaves after freezing, announcing, and copying keys.
Task<void> interrupt_move(CrawlInCluster& crawl) {
  redis::Client& client = *crawl.client;
  const Example example(client);
  const redis::Node from = client.slots().master_of(example.slot)->node;
  const redis::Node to = example.to_node(client);
  const std::string slot = std::to_string(example.slot);
  const std::string key = partition_key("m", 0);
  for (int steps = 1; steps <= 4; ++steps) {
    static_cast<void>(co_await ask(client, from, {"HSET", key, "f", "reshard " + example.to}));
    // Functions refuse it, and the commands for the others work.
    EXPECT_EQ((co_await crawl.frontier.count())->frozen, 1u);
    auto refused = co_await crawl.frontier.lease({.partitions = {0}});
    EXPECT_EQ(refused.error().code(), Errc::unavailable);
    if (steps > 1) {
      static_cast<void>(
          co_await ask(client, to, {"CLUSTER", "SETSLOT", slot, "IMPORTING", example.from}));
    }
    if (steps > 2) {
      EXPECT_EQ((co_await copy_key(client, from, to, key))->text, "OK");
      EXPECT_EQ((co_await copy_key(client, from, to, "R" + key.substr(1)))->text, "OK");
      // A key that the owner does not have any more.
      static_cast<void>(co_await client.run_on(
          to, redis::Commands().add({"ASKING"}).add({"SADD", "S" + key.substr(1) + "9:old", "1"}),
          redis::Lane::quick, redis::in_time()));
    }
    Reshard reshard(client, {});
    EXPECT_TRUE(co_await reshard.open());
    if (steps == 4) EXPECT_TRUE(co_await reshard.abandon());
    const auto finished = co_await reshard.finish_interrupted();
    EXPECT_TRUE(finished.has_value()) << finished.error().to_string();
    EXPECT_EQ(reshard.result().finished, steps == 4 ? 0u : 1u);
    EXPECT_EQ(reshard.result().abandoned, steps == 4 ? 1u : 0u);
    EXPECT_EQ(reshard.result().replaced, 0u) << "they are ours";
    const bool is_moved = steps < 4;
    EXPECT_EQ(client.slots().master_of(example.slot)->id, is_moved ? example.to : example.from);
    EXPECT_EQ((co_await crawl.frontier.count())->frozen, 0u);
    const auto left =
        co_await ask(client, is_moved ? from : to, {"CLUSTER", "GETKEYSINSLOT", slot, "1000"});
    EXPECT_TRUE(left->items.empty()) << "copies are left";
    if (!is_moved) break;
    EXPECT_TRUE(
        co_await reshard.move({{.slot = example.slot, .from = example.to, .to = example.from}}));
  }
  EXPECT_EQ(co_await crawl.drain(), 2u * kPartitions);
}

TEST_F(ReshardTest, AnInterruptedMoveIsFinished) { run(interrupt_move); }

// Moves a slot as other programs do: without freezing.
Task<void> move_behind_our_back(CrawlInCluster& crawl) {
  redis::Client& client = *crawl.client;
  const Example example(client);
  const std::string slot = std::to_string(example.slot);
  const redis::Node from = client.slots().master_of(example.slot)->node;
  const redis::Node to = example.to_node(client);
  const auto keys = co_await ask(client, from, {"CLUSTER", "GETKEYSINSLOT", slot, "1000"});
  EXPECT_GE(keys->items.size(), 4u);
  static_cast<void>(
      co_await ask(client, to, {"CLUSTER", "SETSLOT", slot, "IMPORTING", example.from}));
  static_cast<void>(
      co_await ask(client, from, {"CLUSTER", "SETSLOT", slot, "MIGRATING", example.to}));
  for (const redis::Reply& key : keys->items) {
    static_cast<void>(co_await ask(
        client, from, {"MIGRATE", "127.0.0.1", std::to_string(to.port), key.text, "0", "4000"}));
  }
  EXPECT_EQ((co_await crawl.frontier.count())->misplaced, 0u) << "it has its old owner";
  for (const redis::Node& node : {to, from}) {
    static_cast<void>(co_await ask(client, node, {"CLUSTER", "SETSLOT", slot, "NODE", example.to}));
  }
  EXPECT_EQ((co_await crawl.frontier.count())->misplaced, 1u);
}

TEST_F(ReshardTest, AMoveByAnotherProgramIsReported) {
  run(move_behind_our_back);
  support::CommandRun status({"cluster", "status", url()});
  EXPECT_EQ(status.wait(), 1) << status.err();
  EXPECT_THAT(status.out(), HasSubstr("moved while they were in use, which can lose URLs: 0\n"));
}

// Another program has removed keys from the owner, so the target has the only copies.
Task<void> interrupt_another_program(CrawlInCluster& crawl) {
  redis::Client& client = *crawl.client;
  const Example example(client);
  const std::string slot = std::to_string(example.slot);
  const redis::Node from = client.slots().master_of(example.slot)->node;
  static_cast<void>(
      co_await ask(client, from, {"CLUSTER", "SETSLOT", slot, "MIGRATING", example.to}));
  Reshard reshard(client, {});
  EXPECT_TRUE(co_await reshard.open());
  const SlotMove move = {.slot = example.slot, .from = example.from, .to = example.to};
  EXPECT_EQ((co_await reshard.move({move})).error().code(), Errc::exists);
  static_cast<void>(
      co_await ask(client, from, {"HSET", partition_key("m", 0), "f", "reshard " + example.to}));
  EXPECT_EQ((co_await reshard.abandon()).error().code(), Errc::exists);
  static_cast<void>(co_await ask(client, from, {"CLUSTER", "SETSLOT", slot, "STABLE"}));
  EXPECT_TRUE(co_await reshard.move({move}));
  EXPECT_EQ(co_await crawl.drain(), 2u * kPartitions);
}

TEST_F(ReshardTest, ASlotThatAnotherProgramMovesIsNotTouched) { run(interrupt_another_program); }

// Adds an empty master, and moves the slot of the crawl itself there, until the command is killed.
Task<void> interrupt_first_move(CrawlInCluster& crawl, redis::RedisServer& added) {
  redis::Client& client = *crawl.client;
  const std::string key = crawl_key("m");
  const std::string slot = std::to_string(redis::slot_of(key));
  const redis::SlotMap::Master owner = *client.slots().master_of(redis::slot_of(key));
  const std::string port = std::to_string(added.port());
  static_cast<void>(
      co_await ask(client, owner.node,
                   {"CLUSTER", "MEET", "127.0.0.1", port, std::to_string(added.bus_port())}));
  const std::string id = (co_await ask(client, added.node(), {"CLUSTER", "MYID"}))->text;
  for (const redis::SlotMap::Master& master : client.slots().masters()) {
    while (!(co_await ask(client, master.node, {"CLUSTER", "NODES"}))->text.contains(id)) {
      EXPECT_TRUE(co_await async::sleep(50ms));
    }
  }
  while ((co_await ask(client, added.node(), {"CLUSTER", "SETSLOT", slot, "IMPORTING", owner.id}))
             ->is_error()) {
    EXPECT_TRUE(co_await async::sleep(50ms));
  }
  static_cast<void>(co_await ask(client, owner.node, {"HSET", key, "f", "reshard " + id}));
  // A server that has just joined is not ready.
  while ((co_await copy_key(client, owner.node, added.node(), key))->is_error()) {
    EXPECT_TRUE(co_await async::sleep(50ms));
  }
  Reshard reshard(client, {});
  EXPECT_TRUE(co_await reshard.open());
  const auto finished = co_await reshard.finish_interrupted();
  EXPECT_TRUE(finished.has_value()) << finished.error().to_string();
  EXPECT_EQ(reshard.result().finished, 1u);
  EXPECT_EQ(client.slots().master_of(redis::slot_of(key))->id, id);
  EXPECT_TRUE(co_await crawl.crawl.beat("", 0)) << "it is not frozen any more";
}

TEST_F(ReshardTest, AnInterruptedFirstMoveToANewMasterIsFinished) {
  redis::RedisServer& added = cluster_->add();
  run([&added](CrawlInCluster& crawl) { return interrupt_first_move(crawl, added); });
}

// The target of an interrupted move does not exist.
Task<void> lose_target(CrawlInCluster& crawl) {
  redis::Client& client = *crawl.client;
  const Example example(client);
  const redis::Node owner = client.slots().master_of(example.slot)->node;
  static_cast<void>(
      co_await ask(client, owner, {"HSET", partition_key("m", 0), "f", "reshard gone"}));
  Reshard reshard(client, {});
  EXPECT_TRUE(co_await reshard.open());
  EXPECT_TRUE(co_await reshard.finish_interrupted());
  EXPECT_EQ(reshard.result().abandoned, 1u);
  EXPECT_EQ((co_await crawl.frontier.count())->frozen, 0u);
  EXPECT_EQ(co_await crawl.drain(), 2u * kPartitions);
}

TEST_F(ReshardTest, AMoveToALostServerIsAbandoned) {
  run(lose_target);
  support::CommandRun even({"cluster", "reshard", url(), "--even"});
  EXPECT_EQ(even.wait(), 0) << even.err();
  EXPECT_THAT(even.out(), HasSubstr(" moved with "));
  support::CommandRun wrong({"cluster", "reshard", url(), "--from", "a:1", "--to", "b:2"});
  EXPECT_EQ(wrong.wait(), 2) << wrong.err();
  EXPECT_THAT(wrong.err(), HasSubstr("a:1 is not a master of this cluster"));
}

// Kills the target while slots move to it, until its replica has replaced it.
// BORROWS: the cluster.
Task<void> kill_target(CrawlInCluster& crawl, redis::RedisCluster& cluster) {
  redis::Client& client = *crawl.client;
  const Example example(client);
  const redis::Node to = example.to_node(client);
  async::Scope scope(async::OnFailure::keep_going);
  Reshard interrupted(client, {.keys_in_step = 1});
  EXPECT_TRUE(co_await interrupted.open());
  auto moving = scope.spawn(
      interrupted.move(plan_from(interrupted.used_slots(), example.from, example.to, 1000)));
  while (interrupted.result().slots < 5) EXPECT_TRUE(co_await async::sleep(1ms));
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (cluster.server(i).port() == to.port) cluster.server(i).kill();
  }
  EXPECT_FALSE(co_await moving);
  static_cast<void>(co_await scope.join());
  bool is_finished = false;
  for (const Instant until = redis::in_time(); !is_finished;) {
    Reshard again(client, {});
    auto done = co_await again.open();
    if (done) done = co_await again.finish_interrupted();
    is_finished = done.has_value();
    EXPECT_LT(async::Loop::current().now(), until) << (done ? "" : done.error().to_string());
    if (async::Loop::current().now() >= until) break;
    if (!is_finished) EXPECT_TRUE(co_await async::sleep(200ms));
  }
  const auto counts = co_await crawl.frontier.count();
  EXPECT_TRUE(counts.has_value()) << counts.error().to_string();
  EXPECT_EQ(counts->found, 2u * kPartitions);
  EXPECT_EQ(counts->frozen, 0u);
  EXPECT_EQ(co_await crawl.drain(), 2u * kPartitions);
}

TEST(ReshardFaultsTest, ATargetThatDiesLosesNothing) {
  if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  redis::RedisCluster cluster("2000");
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  async::Loop loop;
  loop.run(prepare(cluster.seeds(),
                   [&cluster](CrawlInCluster& crawl) { return kill_target(crawl, cluster); }));
}

}  // namespace
}  // namespace gossamer::cluster
