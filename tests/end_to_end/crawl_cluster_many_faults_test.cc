// Tests `gossamer crawl --cluster` with many faults, drawn from a seed: of nodes, of servers, of
// the network between servers, and while parts of the crawl move.
//
// GOSSAMER_FAULTS sets the number of faults. Every crawl has ten of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"
#include "tests/end_to_end/crawl_cluster_run.h"
#include "tests/support/private_network.h"

namespace gossamer::cli {
namespace {

using redis::RedisCluster;

constexpr int kFaultsPerCrawl = 10;
constexpr std::size_t kNodes = 4;
constexpr Duration kPause = 100ms;
// So many that they are not fetched before the last fault.
constexpr std::uint64_t kPagesPerHost = 600;
// Of each fault: what a node has fetched and not reported, and what a master has not replicated.
constexpr std::size_t kRepeatsMax = 256;

// A cluster in a network of its own.
class NetworkFaultsTest : public CrawlClusterTest {
 protected:
  void SetUp() override {
    if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
    CrawlClusterTest::SetUp();
    if (IsSkipped()) return;
    network_.emplace();
    if (!network_->missing().empty()) GTEST_SKIP() << network_->missing();
    lease_ = "3s";
    cluster_.emplace();
    cluster_->form();
  }
  // Everything ends before its network.
  void TearDown() override {
    nodes_.clear();
    site_.reset();
    cluster_.reset();
    network_.reset();
  }

  std::string url() {
    std::string seeds;
    for (const redis::Node& node : cluster_->seeds()) {
      seeds += (seeds.empty() ? "" : ",") + node.to_string();
    }
    return "redis://" + seeds + "/museum";
  }
  // Loses the packets between a master and its replica. Others reach both.
  void cut_off(RedisCluster::Pair pair) {
    for (const auto& [from, to] :
         {std::pair(pair.master, pair.replica), std::pair(pair.replica, pair.master)}) {
      const RedisServer& server = cluster_->server(to);
      network_->drop(RedisCluster::source(from), {server.port(), server.bus_port()});
    }
  }
  // Kills the master of a replica that is cut off, and starts it again when it was replaced.
  void kill_after_cut(RedisCluster::Pair pair, std::chrono::milliseconds cut) {
    cut_off(pair);
    std::this_thread::sleep_for(cut);
    cluster_->server(pair.master).kill();
    cluster_->wait_until_replaced(pair.master);
    network_->heal();
    cluster_->server(pair.master).start();
    cluster_->wait_until_whole();
  }

  std::optional<support::PrivateNetwork> network_;
  std::optional<RedisCluster> cluster_;
};

TEST_F(NetworkFaultsTest, PacketsBetweenAReplicaAndItsMasterAreLostAndThenTheMasterIsKilled) {
  serve(80, 20ms);
  for (int i = 0; i < 3; ++i) start(url());
  wait_for_pages(100);
  kill_after_cut(cluster_->pairs()[0], std::chrono::seconds(3));
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  EXPECT_LE(expect_all(), 3u * 256u);
  expect_merged();
}

class ManyFaultsTest : public NetworkFaultsTest, public testing::WithParamInterface<int> {
 protected:
  struct Kind {
    const char* name;
    void (ManyFaultsTest::*happen)();
  };
  static const std::array<Kind, 7> kKinds;

  // As many faults, of all kinds alike. Prints them, with the pages that were requested before.
  void run_faults() {
    std::vector<Kind> drawn;
    for (int i = 0; i < kFaultsPerCrawl; ++i) {
      if (drawn.empty()) {
        drawn.assign(kKinds.begin(), kKinds.end());
        random_.shuffle(drawn);
      }
      const Kind kind = drawn.back();
      drawn.pop_back();
      ASSERT_EQ(status_of(url())["end"], "") << "the crawl has ended before the last fault";
      std::printf("seed %d, fault %d after %d requests: %s\n", GetParam(), i + 1,
                  static_cast<int>(requests()), kind.name);
      std::fflush(stdout);
      (this->*kind.happen)();
      // Sometimes the next one comes while nodes recover.
      wait_for_pages(requests() + random_.below(60));
    }
  }
  void expect_end() {
    for (const std::size_t node : running_) expect_success(node);
    const Json status = status_of(url());
    EXPECT_EQ(status["state"], "ended");
    EXPECT_EQ(status["end"], "finished");
    EXPECT_EQ(status["open"], 0);
    EXPECT_EQ(status["leased"], 0);
  }

  // The first nodes bring the settings, later ones read them.
  void start_node(bool is_first = false) {
    running_.push_back(nodes_.size());
    start(url(), is_first ? roots({"--delay", "100ms"}) : std::vector<std::string>());
  }
  // Draws a running node, and forgets that it runs.
  std::size_t take_node() {
    const std::size_t at = random_.below(running_.size());
    const std::size_t node = running_[at];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
    return node;
  }
  RedisCluster::Pair draw_pair() { return cluster_->pairs().at(random_.below(3)); }
  void pass(std::int64_t least_ms, std::int64_t most_ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random_.between(least_ms, most_ms)));
  }

  void kill_and_restart_node() {
    const std::size_t node = take_node();
    kill(node);
    pass(0, 4000);
    nodes_[node] = std::make_unique<CommandRun>(words(url(), node, {}));
    running_.push_back(node);
  }
  void stop_node_past_its_lease() {
    const std::size_t node = take_node();
    nodes_[node]->send_signal(SIGSTOP);
    pass(3500, 7000);
    nodes_[node]->send_signal(SIGCONT);
    running_.push_back(node);
  }
  void replace_node() {
    const std::size_t node = take_node();
    nodes_[node]->send_signal(SIGINT);
    EXPECT_EQ(nodes_[node]->wait(), 11) << "node " << node << ": " << nodes_[node]->err();
    start_node();
  }
  void kill_and_restart_master() {
    const std::size_t master = draw_pair().master;
    cluster_->server(master).kill();
    if (random_.chance(0.5)) {
      cluster_->wait_until_replaced(master);
    } else {
      pass(0, 1000);
    }
    cluster_->server(master).start();
    cluster_->wait_until_whole();
  }
  void cut_off_replica_and_kill_master() {
    kill_after_cut(draw_pair(), std::chrono::milliseconds(random_.between(200, 3000)));
  }
  void pause_redis() {
    for (std::size_t i = 0; i < cluster_->size(); ++i) cluster_->server(i).pause();
    pass(1000, 6000);
    for (std::size_t i = 0; i < cluster_->size(); ++i) cluster_->server(i).resume();
    // A server that was replaced meanwhile still has to notice it.
    pass(3000, 3000);
    cluster_->wait_until_whole();
  }
  void fill_memory() {
    set_memory("1");
    pass(1000, 5000);
    set_memory("0");
  }
  void set_memory(const std::string& bytes_max) {
    for (std::size_t i = 0; i < cluster_->size(); ++i) {
      tell(cluster_->server(i), {"CONFIG", "SET", "maxmemory", bytes_max});
    }
  }

  base::Random random_{static_cast<std::uint64_t>(GetParam())};
  std::vector<std::size_t> running_;  // nodes
};

const std::array<ManyFaultsTest::Kind, 7> ManyFaultsTest::kKinds = {{
    {"a node is killed and started again", &ManyFaultsTest::kill_and_restart_node},
    {"a node sleeps past its lease", &ManyFaultsTest::stop_node_past_its_lease},
    {"a node leaves and another joins", &ManyFaultsTest::replace_node},
    {"a master is killed and started again", &ManyFaultsTest::kill_and_restart_master},
    {"a replica is cut off and its master is killed",
     &ManyFaultsTest::cut_off_replica_and_kill_master},
    {"all servers pause", &ManyFaultsTest::pause_redis},
    {"the memory of all servers is full", &ManyFaultsTest::fill_memory},
}};

TEST_P(ManyFaultsTest, LoseNothing) {
  serve(kPagesPerHost, 5ms);
  of_host_ = 1;
  for (std::size_t i = 0; i < kNodes; ++i) start_node(true);
  wait_for_pages(30);
  ASSERT_NO_FATAL_FAILURE(run_faults());
  expect_end();
  const std::size_t repeats = expect_all();
  EXPECT_LE(repeats, kFaultsPerCrawl * kRepeatsMax);
  expect_pauses(kPause);
  expect_merged();
  std::printf("seed %d: %zu pages, %zu repeats, %zu nodes\n", GetParam(), wanted({}).size(),
              repeats, nodes_.size());
}

INSTANTIATE_TEST_SUITE_P(Crawls, ManyFaultsTest,
                         testing::Range(1, 1 + (number_or("GOSSAMER_FAULTS", kFaultsPerCrawl) +
                                                kFaultsPerCrawl - 1) /
                                                   kFaultsPerCrawl));

}  // namespace
}  // namespace gossamer::cli
