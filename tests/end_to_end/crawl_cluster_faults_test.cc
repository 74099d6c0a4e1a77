// Tests `gossamer crawl --cluster`: nodes and servers fail, and others end the crawl.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/end_to_end/crawl_cluster_run.h"

namespace gossamer::cli {
namespace {

using redis::RedisCluster;
using testing::HasSubstr;

// Leases are short, so that others take over soon.
class CrawlClusterFaultsTest : public CrawlClusterTest {
 protected:
  void SetUp() override {
    if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
    CrawlClusterTest::SetUp();
    lease_ = "3s";
  }
};

TEST_F(CrawlClusterFaultsTest, ALaterNodeTakesTheSettingsOfTheCrawl) {
  serve(80, 20ms);
  lease_ = "60s";
  const RedisServer server;
  start(url_of(server));
  wait_for_pages(20);
  EXPECT_EQ(CommandRun({"cluster", "pause", url_of(server)}).wait(), 0);
  start(url_of(server), std::vector<std::string>{});
  wait_for_nodes(url_of(server), 2);
  EXPECT_EQ(CommandRun({"cluster", "resume", url_of(server)}).wait(), 0);
  CommandRun different(words(url_of(server), 7, roots({"--exclude", "/x"})));
  EXPECT_EQ(different.wait(), 2);
  EXPECT_THAT(different.err(), HasSubstr("exclude"));
  expect_success(0);
  expect_success(1);
  EXPECT_GT(pages_of(1), 0u) << "the first node gave it some of its hosts";
  EXPECT_EQ(expect_all(), 0u);
}

TEST_F(CrawlClusterFaultsTest, AnInterruptedNodeReleasesItsHosts) {
  serve(80, 20ms);
  lease_ = "60s";
  const RedisServer server;
  start_together(url_of(server), 2);
  wait_for_pages(100);
  nodes_[0]->send_signal(SIGINT);
  EXPECT_EQ(nodes_[0]->wait(), 11) << nodes_[0]->err();
  expect_success(1);
  EXPECT_EQ(expect_all(), 0u);
}

TEST_F(CrawlClusterFaultsTest, AnInterruptedProcessReleasesTheHostsOfAllLoops) {
  serve(80, 20ms);
  lease_ = "60s";
  const RedisServer server;
  start_together(url_of(server), 2, roots({"--threads", "2"}), 2);
  wait_for_pages(100);
  nodes_[0]->send_signal(SIGINT);
  EXPECT_EQ(nodes_[0]->wait(), 11) << nodes_[0]->err();
  expect_success(1);
  EXPECT_EQ(expect_all(), 0u);
}

TEST_F(CrawlClusterFaultsTest, AProcessWithLoopsIsKilled) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 2; ++i) start(url_of(server), roots({"--threads", "2", "--depth", "4"}));
  wait_for_pages(100);
  kill(0);
  expect_success(1);
  EXPECT_LE(expect_all(4), 512u);
}

TEST_F(CrawlClusterFaultsTest, AKilledNodeLosesNothing) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 3; ++i) start(url_of(server));
  wait_for_pages(100);
  kill(0);
  expect_success(1);
  expect_success(2);
  EXPECT_LE(expect_all(), 256u);
}

TEST_F(CrawlClusterFaultsTest, LevelsHoldWhenANodeIsKilled) {
  serve_redirects(80, 20ms);
  RedisCluster cluster;
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  for (int i = 0; i < 3; ++i) start(url_of(cluster.server(0)), roots({"--depth", "4"}));
  wait_for_pages(100);
  kill(0);
  static_cast<void>(nodes_[1]->wait());
  static_cast<void>(nodes_[2]->wait());
  EXPECT_LE(expect_all(4), 256u);
}

TEST_F(CrawlClusterFaultsTest, ANodeThatSleptPastItsLeaseEndsNothingOfOthers) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 3; ++i) start(url_of(server));
  wait_for_pages(100);
  nodes_[0]->send_signal(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(5));
  nodes_[0]->send_signal(SIGCONT);
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  // A page that two nodes have is marked at the one whose lease had expired.
  std::map<std::string, std::pair<int, int>> records;  // all, and those that are not marked
  for (std::size_t i = 0; i < 3; ++i) {
    CommandRun list({"job", "export", job(i), "--jsonl", "-"});
    EXPECT_EQ(list.wait(), 0) << list.err();
    for (const std::string& line : list.out_lines()) {
      const Json record = Json::parse(line);
      const bool is_marked = record.value("duplicate_of", Json()) == record["url"];
      auto& [all, plain] = records[record["url"]];
      ++all;
      plain += is_marked ? 0 : 1;
    }
  }
  for (const auto& [url, counts] : records) {
    EXPECT_EQ(counts.second, 1) << url << " has " << counts.first << " records";
  }
  EXPECT_LE(expect_all(), 256u);
}

TEST_F(CrawlClusterFaultsTest, ANodeIsKilled25Times) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 25; ++i) {
    start(url_of(server));
    wait_for_pages(requests() + 4);
    kill(nodes_.size() - 1);
  }
  start(url_of(server));
  expect_success(25);
  const std::size_t repeats = expect_all();
  RecordProperty("repeats", static_cast<int>(repeats));
  EXPECT_LE(repeats, 25u * 40u);
}

TEST_F(CrawlClusterFaultsTest, PausesHoldWhenANodeIsKilled) {
  serve(25, 5ms);
  of_host_ = 1;
  const RedisServer server;
  for (int i = 0; i < 3; ++i) start(url_of(server), roots({"--delay", "150ms"}));
  wait_for_pages(40);
  kill(0);
  expect_success(1);
  expect_success(2);
  EXPECT_LE(expect_all(), 40u);
  expect_pauses(150ms);
}

TEST_F(CrawlClusterFaultsTest, NodesWaitWhileRedisIsUnreachable) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 2; ++i) start(url_of(server));
  wait_for_pages(60);
  tell(server, {"CLIENT", "PAUSE", "9000", "ALL"});
  for (std::size_t i = 0; i < 2; ++i) expect_success(i);
  EXPECT_LE(expect_all(), 256u);
  std::vector<Instant> all;
  for (const auto& [host, times] : request_times())
    all.insert(all.end(), times.begin(), times.end());
  std::ranges::sort(all);
  Duration longest = Duration::zero();
  for (std::size_t i = 1; i < all.size(); ++i) longest = std::max(longest, all[i] - all[i - 1]);
  EXPECT_GE(longest, 4s) << "no request starts after the leases have expired";
}

TEST_F(CrawlClusterFaultsTest, RedisIsGoneForAMinute) {
  serve(80, 20ms);
  RedisServer server({"--appendonly", "yes"});
  for (int i = 0; i < 2; ++i) start(url_of(server));
  wait_for_pages(60);
  server.kill();
  std::this_thread::sleep_for(std::chrono::seconds(10));  // leases have expired
  const std::uint64_t before = requests();
  std::this_thread::sleep_for(std::chrono::seconds(50));
  EXPECT_EQ(requests(), before) << "no request starts after the leases have expired";
  server.start();
  for (std::size_t i = 0; i < 2; ++i) expect_success(i);
  EXPECT_THAT(nodes_[0]->err(), HasSubstr("the shared crawl resumes"));
  EXPECT_LE(expect_all(), 512u);
}

TEST_F(CrawlClusterFaultsTest, AReplicaIsCutOffAndThenItsMasterIsKilled) {
  serve(80, 20ms);
  RedisCluster cluster;
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  for (int i = 0; i < 3; ++i) start(url_of(cluster.server(1)));
  wait_for_pages(100);
  // The master rejects this user when its replica connects again.
  const RedisServer& replica = cluster.server(RedisCluster::kMasters);
  for (const std::string name : {"masteruser", "masterauth"}) {
    tell(replica, {"CONFIG", "SET", name, "nobody"});
  }
  tell(cluster.server(0), {"CLIENT", "KILL", "TYPE", "replica"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  cluster.server(0).kill();
  std::this_thread::sleep_for(std::chrono::seconds(8));  // its replica replaces it
  cluster.server(0).start();
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  EXPECT_LE(expect_all(), 3u * 256u);
}

TEST_F(CrawlClusterFaultsTest, NodesWaitWhileTheMemoryOfRedisIsFull) {
  serve(80, 20ms);
  const RedisServer server({"--maxmemory-policy", "noeviction"});
  for (int i = 0; i < 2; ++i) start(url_of(server));
  wait_for_pages(30);
  tell(server, {"CONFIG", "SET", "maxmemory", "1"});
  std::this_thread::sleep_for(std::chrono::seconds(4));
  tell(server, {"CONFIG", "SET", "maxmemory", "0"});
  for (std::size_t i = 0; i < 2; ++i) expect_success(i);
  EXPECT_THAT(nodes_[0]->err() + nodes_[1]->err(), HasSubstr("the shared crawl waits"));
  EXPECT_LE(expect_all(), 256u);
}

TEST_F(CrawlClusterFaultsTest, FlushallEndsAllNodes) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 2; ++i) start(url_of(server));
  wait_for_pages(60);
  tell(server, {"FLUSHALL"});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(nodes_[i]->wait(), 18) << nodes_[i]->err();
    EXPECT_THAT(nodes_[i]->err(), HasSubstr("Redis has lost the shared crawl museum"));
    expect_valid_archive_of(job(i), false);
  }
  EXPECT_GT(pages_of(0) + pages_of(1), 0u);
}

TEST_F(CrawlClusterFaultsTest, AMasterIsKilledAndRestarted) {
  serve(80, 20ms);
  RedisCluster cluster;
  cluster.form();
  const std::string url = "redis://" + cluster.server(0).node().to_string() + "," +
                          cluster.server(1).node().to_string() + "/museum";
  for (int i = 0; i < 3; ++i) start(url);
  wait_for_pages(80);
  cluster.server(0).kill();
  std::this_thread::sleep_for(std::chrono::seconds(6));
  cluster.server(0).start();
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  EXPECT_LE(expect_all(), 256u);
}

// The replica sleeps until the new node has found that the master is gone.
TEST_F(CrawlClusterFaultsTest, ANodeJoinsDuringAFailover) {
  serve(80, 20ms);
  lease_ = "60s";
  RedisCluster cluster;
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  const std::string url = "redis://" + cluster.server(1).node().to_string() + "," +
                          cluster.server(2).node().to_string() + "/museum";
  start(url);
  wait_for_pages(60);
  RedisServer& replica = cluster.server(RedisCluster::kMasters);
  tell(replica, {"CONFIG", "SET", "cluster-replica-validity-factor", "0"});
  cluster.server(0).kill();
  replica.pause();
  const CommandRun& late = start(url);
  support::wait_until([&] { return late.err().contains("this node waits to join"); });
  replica.resume();
  cluster.wait_until_replaced(0);
  cluster.server(0).start();
  for (std::size_t i = 0; i < 2; ++i) expect_success(i);
  EXPECT_LE(expect_all(), 256u);
}

TEST_F(CrawlClusterFaultsTest, SixServersAndAKilledNode) {
  serve(80, 20ms);
  RedisCluster cluster;
  cluster.form();
  const std::string url = "redis://" + cluster.server(0).node().to_string() + "," +
                          cluster.server(1).node().to_string() + "/museum";
  for (int i = 0; i < 3; ++i) start(url);
  wait_for_pages(100);
  kill(0);
  expect_success(1);
  expect_success(2);
  EXPECT_LE(expect_all(), 256u);
}

TEST_F(CrawlClusterFaultsTest, LostDataIsAnErrorOfItsOwn) {
  serve(80, 20ms);
  RedisServer server;
  start(url_of(server));
  wait_for_pages(50);
  server.kill();
  std::filesystem::remove_all(server.folder().file("appendonlydir"));
  std::filesystem::remove(server.folder().file("dump.rdb"));
  server.start();
  EXPECT_EQ(nodes_[0]->wait(), 18);
  EXPECT_THAT(nodes_[0]->err(), HasSubstr("Redis has lost the shared crawl museum"));
  EXPECT_GT(pages_of(0), 0u);
  expect_valid_archive_of(job(0), false);
}

TEST_F(CrawlClusterFaultsTest, ThePageLimitIsThatOfAllNodes) {
  serve(80, 5ms);
  lease_ = "60s";
  const RedisServer server;
  for (int i = 0; i < 3; ++i) start(url_of(server), roots({"--limit", "90"}));
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  std::size_t pages = 0;
  for (std::size_t i = 0; i < 3; ++i) pages += pages_of(i);
  EXPECT_EQ(pages, 90u);
  EXPECT_EQ(status_of(url_of(server))["end"], "page_limit") << "the last node has ended the crawl";
}

TEST_F(CrawlClusterFaultsTest, ANodeWithoutWebAccessEndsNoUrls) {
  serve(60, 20ms, true);
  const RedisServer server;
  for (const bool is_cut_off : {true, false}) {
    std::vector<std::string> more;
    for (int i = 1; i <= kHosts; ++i) {
      const std::string host = "h" + std::to_string(i) + ".test:" + std::string(site_->port());
      const int last = is_cut_off ? i + 100 : i;  // nothing listens there
      more.insert(more.end(),
                  {"http://" + host + "/", "--resolve", host + ":127.0.0." + std::to_string(last)});
    }
    start(url_of(server), more);
  }
  expect_success(0);
  expect_success(1);
  EXPECT_EQ(pages_of(0), 0u) << "it has failed no URL";
  EXPECT_LE(expect_all(), 8u);
}

// Nobody reaches them, so they must end although every node might be the one without web access.
TEST_F(CrawlClusterFaultsTest, HostsThatNoNodeReachesEnd) {
  serve(2, 0ms);
  const RedisServer server;
  std::vector<std::string> more = {"http://127.0.0.1:1/", "http://127.0.0.2:1/a"};
  for (int i = 0; i < 2; ++i) start(url_of(server), more);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(nodes_[i]->wait() == 0, pages_of(i) == 0);
  EXPECT_EQ(pages_of(0) + pages_of(1), 2u);
}

}  // namespace
}  // namespace gossamer::cli
