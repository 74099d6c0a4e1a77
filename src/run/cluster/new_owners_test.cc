// Slots of a shared crawl move while no node runs, in virtual time.

#include "cluster/new_owners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/random.h"
#include "base/result.h"
#include "cluster/layout.h"
#include "cluster/partition_facts.h"
#include "cluster/purge.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "net/connector.h"
#include "redis/client.h"
#include "redis/slot.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis_model::Words;
using testing::HasSubstr;

constexpr Duration kLostAfter = 60s;
constexpr Duration kOwnersPatience = 20s;
constexpr std::uint64_t kUrlsOfHost = 300;

Instant before_long() { return async::Loop::current().now() + kOwnersPatience; }

std::string host_in(std::uint32_t partition) {
  return "h" + std::to_string(partition) + ".example";
}

// The crawl "m" in a cluster of three masters, with a host in each partition. Its node has fetched
// a part of one host and has left.
class CrawlAtRest {
 public:
  using Play = Task<void> (*)(CrawlAtRest& crawl);

  void run(Play play) {
    sim::World world = sim::World::calm(1);
    world.run(begin(play));
    EXPECT_EQ(world.loop().live_tasks(), 0u);
    cluster_.reset();
  }

  redis::Client& client() { return *client_; }
  SharedCrawl& node() { return *node_; }
  std::size_t owner() const { return (*cluster_->owners())[slot]; }
  std::size_t target() const { return (owner() + 1) % 3; }

  // Runs one command at one server. BORROWS: this.
  Task<redis::Reply> tell(std::size_t number, Words words) {
    redis::Commands commands;
    commands.add({"ASKING"}).add(words);
    auto replies = co_await client_->run_on(cluster_->seeds(0)[number], std::move(commands),
                                            redis::Lane::quick, before_long());
    EXPECT_TRUE(replies.has_value());
    if (!replies) co_return redis::Reply{};
    EXPECT_FALSE(replies->back().is_error()) << words[0] << ": " << replies->back().text;
    co_return std::move(replies->back());
  }

  // Moves the slot as `redis-cli --cluster reshard` does. BORROWS: this.
  Task<void> move_slot() {
    const std::size_t from = owner();
    const std::size_t to = target();
    const std::string number = std::to_string(slot);
    const std::string from_id = cluster_->server(from).id();
    const std::string to_id = cluster_->server(to).id();
    co_await tell(to, {"CLUSTER", "SETSLOT", number, "IMPORTING", from_id});
    co_await tell(from, {"CLUSTER", "SETSLOT", number, "MIGRATING", to_id});
    const redis::Reply moved = co_await tell(from, {"CLUSTER", "GETKEYSINSLOT", number, "1000"});
    EXPECT_GE(moved.items.size(), 5u);
    for (const redis::Reply& each : moved.items) {
      co_await tell(from, {"MIGRATE", cluster_->seeds(0)[to].host, "7000", "", "0", "4000", "COPY",
                           "REPLACE", "KEYS", each.text});
      co_await tell(from, {"DEL", each.text});
    }
    for (const std::size_t each : {to, from}) {
      co_await tell(each, {"CLUSTER", "SETSLOT", number, "NODE", to_id});
    }
  }

  // BORROWS: this.
  Task<Result<NewOwners>> accept() {
    return accept_new_owners(*client_, "m", kLostAfter, kOwnersPatience);
  }

  // The partitions that Redis Cluster reports as moved. BORROWS: this.
  Task<std::size_t> misplaced() {
    std::size_t count = 0;
    EXPECT_TRUE(co_await client_->reload(before_long()));
    const auto facts = co_await read_partitions(*client_, "m", kPartitions, before_long());
    EXPECT_TRUE(facts.has_value());
    for (const PartitionFacts& each : *facts) count += each.is_misplaced ? 1 : 0;
    co_return count;
  }

  // Leases everything that is left. Returns the number of URLs. BORROWS: this.
  Task<std::uint64_t> lease_all() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < kPartitions; ++i) all.push_back(i);
    auto leased = co_await frontier_->lease({.partitions = all, .urls = 10'000});
    EXPECT_TRUE(leased.has_value()) << leased.error().to_string();
    std::uint64_t urls = 0;
    for (const LeasedHost& host : *leased) {
      Holding holding(host);
      urls += holding.advance(holding.urls()).size();
    }
    co_return urls;
  }

  static constexpr std::uint32_t kMoved = 17;  // partition
  static constexpr std::uint64_t kEnded = 70;  // of its URLs
  const std::string key = partition_key("m", kMoved);
  const std::uint16_t slot = redis::slot_of(key);

 private:
  // BORROWS: this.
  Task<void> add_urls() {
    std::vector<FoundUrls> found;
    for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
      const std::uint64_t urls = partition == kMoved ? kUrlsOfHost : 2;
      Ids ids;
      for (std::uint64_t id = 1; id <= urls; ++id) {
        ids.push_back(id);
        if (ids.size() < kBatchMax && id < urls) continue;
        found.push_back(found_urls(partition, host_in(partition), std::exchange(ids, {})));
      }
    }
    EXPECT_TRUE(co_await frontier_->add(std::move(found)));
    EXPECT_TRUE(co_await node_->begin());
    auto leased = co_await frontier_->lease({.partitions = {kMoved}, .urls = 1000});
    EXPECT_TRUE(leased && leased->size() == 1);
    Holding holding(leased->front());
    holding.advance(kEnded);
    std::vector<Completion> completions;
    completions.push_back({.partition = kMoved,
                           .host = holding.host,
                           .token = holding.token,
                           .position = holding.position()});
    for (const auto& done : co_await frontier_->complete(std::move(completions))) {
      EXPECT_TRUE(done.has_value());
    }
  }

  Task<void> begin(Play play) {
    cluster_.emplace(redis_model::ClusterOptions{.masters = 3, .replicas = 0}, base::Random(1));
    cluster_->start();
    sim::NamedHosts names(1);
    net::Connector connector(names);
    async::Scope connections(async::OnFailure::keep_going);
    client_.emplace(redis::Access{.connector = &connector},
                    redis::ClientOptions{.seeds = cluster_->seeds(0), .connection = {}},
                    connections);
    EXPECT_TRUE(co_await client_->open(before_long()));
    EXPECT_TRUE(co_await install_functions(*client_, before_long()));
    node_.emplace(*client_, SharedCrawlOptions{.crawl = "m", .node = "a"});
    EXPECT_TRUE(co_await node_->join({.settings = "s", .identity = "i"}));
    frontier_.emplace(*client_, SharedFrontierOptions{.crawl = "m"},
                      [n = 0ull]() mutable { return ++n; });
    EXPECT_TRUE(co_await frontier_->prepare("i", SharedFrontier::Prepare::make));
    co_await add_urls();
    EXPECT_TRUE(co_await node_->leave(0));
    co_await play(*this);
    frontier_.reset();
    node_.reset();
    client_->close();
    static_cast<void>(co_await connections.join());
    client_.reset();
    co_await cluster_->stop();
  }

  std::optional<redis_model::Cluster> cluster_;
  std::optional<redis::Client> client_;
  std::optional<SharedCrawl> node_;
  std::optional<SharedFrontier> frontier_;
};

Task<void> accept_move(CrawlAtRest& crawl) {
  co_await crawl.move_slot();
  EXPECT_GE(co_await crawl.misplaced(), 1u);
  const auto accepted = co_await crawl.accept();
  EXPECT_TRUE(accepted.has_value()) << accepted.error().to_string();
  EXPECT_TRUE(accepted->losses.empty()) << accepted->losses.front();
  EXPECT_GE(accepted->moved, 1u);
  EXPECT_EQ(accepted->found, kUrlsOfHost + 2 * (kPartitions - 1));
  EXPECT_EQ(co_await crawl.misplaced(), 0u);
  EXPECT_EQ(co_await crawl.lease_all(), kUrlsOfHost - CrawlAtRest::kEnded + 2 * (kPartitions - 1));
}

TEST(NewOwnersTest, AMoveThatLostNothingIsAccepted) { CrawlAtRest().run(accept_move); }

// The keys that the move has lost: some seen URLs, the queue of a host, and a whole partition.
Task<void> lose_keys(CrawlAtRest& crawl) {
  co_await crawl.move_slot();
  const std::string tag = crawl.key.substr(1);
  const std::string host = host_in(CrawlAtRest::kMoved);
  struct Loss {
    std::string key;
    std::string text;
  };
  for (const Loss& loss : {Loss{"S" + tag + "0:" + host, "seen URLs and has"},
                           Loss{"Q" + tag + host, "counts 230 queued URLs and has 0"},
                           Loss{"K" + tag, "counts 230 open URLs and has 0"},
                           Loss{crawl.key, "partition 17 is missing"}}) {
    co_await crawl.tell(crawl.owner(), {"DEL", loss.key});
    const auto refused = co_await crawl.accept();
    EXPECT_TRUE(refused.has_value()) << refused.error().to_string();
    EXPECT_EQ(refused->moved, 0u);
    EXPECT_THAT(refused->losses, testing::Contains(HasSubstr(loss.text)));
  }
}

TEST(NewOwnersTest, AMoveThatLostKeysIsNot) { CrawlAtRest().run(lose_keys); }

Task<void> change_nothing(CrawlAtRest& crawl) {
  co_await crawl.move_slot();
  co_await crawl.tell(crawl.owner(), {"DEL", "Q" + crawl.key.substr(1) + host_in(17)});
  EXPECT_FALSE((co_await crawl.accept())->losses.empty());
  EXPECT_GE(co_await crawl.misplaced(), 1u);
}

TEST(NewOwnersTest, WhereSomethingIsMissingNothingIsChanged) { CrawlAtRest().run(change_nothing); }

Task<void> keep_node(CrawlAtRest& crawl) {
  EXPECT_TRUE(co_await crawl.node().join({.settings = "s"}));
  const auto refused = co_await crawl.accept();
  EXPECT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Errc::unavailable);
  EXPECT_THAT(refused.error().to_string(), HasSubstr("node a was there"));
  // It was killed.
  EXPECT_TRUE(co_await async::sleep(kLostAfter + 1s));
  EXPECT_TRUE(co_await crawl.accept());
}

TEST(NewOwnersTest, NoNodeMayRun) { CrawlAtRest().run(keep_node); }

Task<void> interrupt_move(CrawlAtRest& crawl) {
  co_await crawl.tell(crawl.owner(), {"CLUSTER", "SETSLOT", std::to_string(crawl.slot), "MIGRATING",
                                      crawl.client().slots().masters()[crawl.target()].id});
  const auto refused = co_await crawl.accept();
  EXPECT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().to_string(), HasSubstr("is still being moved"));
}

TEST(NewOwnersTest, NoSlotMayBeOnItsWay) { CrawlAtRest().run(interrupt_move); }

// As the command `cluster reshard` of an earlier version left it when it was killed.
Task<void> thaw(CrawlAtRest& crawl) {
  co_await crawl.tell(crawl.owner(), {"HSET", crawl.key, "f", "reshard x"});
  EXPECT_FALSE(co_await purge(crawl.client(), "m", kOwnersPatience));
  const auto accepted = co_await crawl.accept();
  EXPECT_TRUE(accepted.has_value()) << accepted.error().to_string();
  EXPECT_EQ(accepted->thawed, 1u);
  EXPECT_TRUE(co_await purge(crawl.client(), "m", kOwnersPatience));
}

TEST(NewOwnersTest, PartsThatAnEarlierVersionFrozeAreReleased) { CrawlAtRest().run(thaw); }

Task<void> change_no_owner(CrawlAtRest& crawl) {
  const auto accepted = co_await crawl.accept();
  EXPECT_TRUE(accepted.has_value()) << accepted.error().to_string();
  EXPECT_EQ(accepted->moved, 0u);
  EXPECT_EQ(accepted->thawed, 0u);
  EXPECT_TRUE(accepted->losses.empty());
}

TEST(NewOwnersTest, WithoutAMoveThereIsNothingToAccept) { CrawlAtRest().run(change_no_owner); }

Task<void> replace_owner(CrawlAtRest& crawl) {
  co_await crawl.tell(crawl.owner(), {"HSET", crawl.key, "n", "a master that has died"});
  EXPECT_EQ(co_await crawl.misplaced(), 0u) << "its replica has everything";
  const std::string other = crawl.client().slots().masters()[crawl.target()].id;
  co_await crawl.tell(crawl.owner(), {"HSET", crawl.key, "n", other});
  EXPECT_EQ(co_await crawl.misplaced(), 1u);
}

TEST(NewOwnersTest, APartOfAMasterThatIsNoMoreWasNotMoved) { CrawlAtRest().run(replace_owner); }

}  // namespace
}  // namespace gossamer::cluster
