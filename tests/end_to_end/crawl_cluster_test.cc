// Tests `gossamer crawl --cluster`: several processes, real Redis servers, and a site whose log
// says what was really fetched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "tests/end_to_end/crawl_job_run.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

using redis::RedisCluster;
using redis::RedisServer;
using testing::HasSubstr;

constexpr std::uint8_t kHosts = 6;

// A site with several hosts, 127.0.0.1 and up, on one port.
class HostsOnLoopback {
 public:
  HostsOnLoopback(std::uint64_t pages, Duration delay) {
    options_.pages = pages;
    options_.delay = delay;
  }

  Result<void> listen() {
    std::uint16_t port = 0;
    options_.hosts.clear();
    for (std::uint8_t i = 1; i <= kHosts; ++i) {
      auto listener = async::Listener::bind(async::Endpoint::v4(127, 0, 0, i, port));
      if (!listener) return fail(std::move(listener).error());
      port = listener->endpoint().port;
      options_.hosts.push_back(listener->endpoint().to_string());
      listeners_.push_back(std::move(*listener));
    }
    port_ = port;
    site_.emplace(options_);
    server_.emplace(*site_);
    return {};
  }
  async::Task<Result<void>> run() {
    async::Scope scope(async::OnFailure::keep_going);
    for (async::Listener& listener : std::exchange(listeners_, {})) {
      scope.spawn(server_->run(std::move(listener)));
    }
    co_return co_await scope.join();
  }

  std::uint16_t port() const { return port_; }
  const site::Site& site() const { return *site_; }
  const site::SiteServer& server() const { return *server_; }

 private:
  site::SiteOptions options_;
  std::uint16_t port_ = 0;
  std::vector<async::Listener> listeners_;
  std::optional<site::Site> site_;
  std::optional<site::SiteServer> server_;
};

// A site, and the nodes that crawl it.
class CrawlClusterTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(redis::kRedisServer)) {
      GTEST_SKIP() << "redis-server is not installed";
    }
  }
  void serve(std::uint64_t pages, Duration delay) { site_.emplace(pages, delay); }

  static std::string url_of(const RedisServer& server) {
    return "redis://" + server.node().to_string() + "/museum";
  }
  std::string job(std::size_t node) const { return folder_.file("node" + std::to_string(node)); }
  std::vector<std::string> roots() const {
    std::vector<std::string> urls;
    for (int i = 1; i <= kHosts; ++i) {
      urls.push_back("http://127.0.0." + std::to_string(i) + ":" + site_->port() + "/");
    }
    return urls;
  }
  std::vector<std::string> words(const std::string& url, std::size_t node,
                                 std::vector<std::string> more) const {
    more.insert(more.end(), {"--cluster", url, "-o", "/dev/null", "--cluster-lease", "3s"});
    return job_words(job(node), 8, 2, std::move(more));
  }
  // Starts a node. Without `more`, it has the roots.
  CommandRun& start(const std::string& url, std::optional<std::vector<std::string>> more = {}) {
    const std::size_t number = nodes_.size();
    return *nodes_.emplace_back(
        std::make_unique<CommandRun>(words(url, number, more.value_or(roots()))));
  }
  void wait_for_pages(std::uint64_t count) {
    support::wait_until([&] {
      return site_->ask([](HostsOnLoopback& site) { return site.server().requests(); }) >= count;
    });
  }
  void expect_success(std::size_t node) {
    const int exit_code = nodes_[node]->wait();
    EXPECT_EQ(exit_code, 0) << "node " << node << ": " << nodes_[node]->err();
  }

  // Expects that every page was fetched, and has a record of one of the nodes. Returns how often
  // pages were fetched again.
  std::size_t expect_all() {
    site_->stop();
    site::TruthOptions options;
    options.roots = {0, 1, 2, 3, 4, 5};
    const site::Truth truth = site_->server().site().truth(options);
    std::map<std::string, std::size_t> asked;
    for (const site::LogEntry& entry : site_->server().server().log()) {
      if (entry.target != "/robots.txt") ++asked[normal("http://" + entry.host + entry.target)];
    }
    std::map<std::string, std::size_t> recorded;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      CommandRun list({"export", job(i), "--jsonl", "-"});
      EXPECT_EQ(list.wait(), 0) << list.err();
      for (const std::string& line : list.out_lines()) {
        ++recorded[normal(Json::parse(line)["url"])];
      }
      expect_valid_archive_of(job(i), true);
    }
    std::size_t missing = 0;
    for (const site::TruthEntry& entry : truth.entries) {
      if (!entry.must_fetch) continue;
      const bool is_there = asked.contains(entry.url) && recorded.contains(entry.url);
      if (!is_there && ++missing < 10) ADD_FAILURE() << "lost: " << entry.url;
    }
    EXPECT_EQ(missing, 0u);
    return repeats_in(asked);
  }

  // The number of pages that a node has.
  std::size_t pages_of(std::size_t node) {
    CommandRun list({"export", job(node), "--jsonl", "-"});
    EXPECT_EQ(list.wait(), 0) << list.err();
    return list.out_lines().size();
  }

  support::TestFolder folder_;
  std::optional<support::ServerThread<HostsOnLoopback>> site_;
  std::vector<std::unique_ptr<CommandRun>> nodes_;
};

// On a busy machine, leases of three seconds expire without a fault.
class CrawlClusterFaultsTest : public CrawlClusterTest {
 protected:
  void SetUp() override {
    if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
    CrawlClusterTest::SetUp();
  }
};

TEST_F(CrawlClusterTest, NodesShareTheWorkAndEndTogether) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 3; ++i) start(url_of(server));
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(pages_of(i), 0u) << "node " << i;
  EXPECT_LE(expect_all(), support::is_long_suite() ? 0u : 8u) << "every page is fetched once";
}

TEST_F(CrawlClusterFaultsTest, ALaterNodeTakesTheSettingsOfTheCrawl) {
  serve(80, 20ms);
  const RedisServer server;
  start(url_of(server));
  wait_for_pages(20);
  start(url_of(server), std::vector<std::string>{});
  std::vector<std::string> other = roots();
  other.insert(other.end(), {"--exclude", "/x"});
  CommandRun different(words(url_of(server), 7, other));
  EXPECT_EQ(different.wait(), 2);
  EXPECT_THAT(different.err(), HasSubstr("exclude"));
  expect_success(0);
  expect_success(1);
  EXPECT_GT(pages_of(1), 0u) << "the first node gave it some of its hosts";
  EXPECT_LE(expect_all(), 8u);
}

TEST_F(CrawlClusterFaultsTest, AnInterruptedNodeReleasesItsHosts) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 2; ++i) start(url_of(server));
  wait_for_pages(100);
  nodes_[0]->send_signal(SIGINT);
  EXPECT_EQ(nodes_[0]->wait(), 11) << nodes_[0]->err();
  expect_success(1);
  EXPECT_EQ(expect_all(), 0u);
}

TEST_F(CrawlClusterFaultsTest, AKilledNodeLosesNothing) {
  serve(80, 20ms);
  const RedisServer server;
  for (int i = 0; i < 3; ++i) start(url_of(server));
  wait_for_pages(100);
  nodes_[0]->send_signal(SIGKILL);
  EXPECT_EQ(nodes_[0]->wait(), -1);
  expect_success(1);
  expect_success(2);
  EXPECT_LE(expect_all(), 256u);
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
  nodes_[0]->send_signal(SIGKILL);
  EXPECT_EQ(nodes_[0]->wait(), -1);
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
  const RedisServer server;
  std::vector<std::string> limited = roots();
  limited.insert(limited.end(), {"--limit", "90"});
  for (int i = 0; i < 3; ++i) start(url_of(server), limited);
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  std::size_t pages = 0;
  for (std::size_t i = 0; i < 3; ++i) pages += pages_of(i);
  EXPECT_EQ(pages, 90u);
}

TEST_F(CrawlClusterTest, OrdersReachTheNodes) {
  serve(80, 20ms);
  const RedisServer server;
  std::vector<std::string> more = roots();
  more.insert(more.end(), {"--skipped", folder_.file("skipped")});
  start(url_of(server), more);
  wait_for_pages(20);
  CommandRun add({"cluster", "add", url_of(server), roots()[0] + "added"});
  EXPECT_EQ(add.wait(), 0) << add.err();
  CommandRun block({"cluster", "block", url_of(server), "127.0.0.2"});
  EXPECT_EQ(block.wait(), 0) << block.err();
  EXPECT_EQ(nodes_[0]->wait(), 8) << nodes_[0]->err();  // 404
  site_->stop();
  const auto log = site_->server().server().log();
  EXPECT_TRUE(std::ranges::any_of(
      log, [](const site::LogEntry& entry) { return entry.target == "/added"; }));
  EXPECT_THAT(support::file_content(folder_.file("skipped")), HasSubstr("blocked"));
}

TEST_F(CrawlClusterTest, AHostWithoutAnAddressEnds) {
  serve(2, 0ms);
  const RedisServer server;
  std::string urls;
  for (int i = 0; i < 200; ++i) urls += "http://nobody.invalid/" + std::to_string(i) + "\n";
  start(url_of(server), std::vector<std::string>{"-i", folder_.write("roots", urls)});
  EXPECT_EQ(nodes_[0]->wait(), 4) << nodes_[0]->err();
  EXPECT_EQ(pages_of(0), 200u);
}

TEST_F(CrawlClusterTest, ThePasswordComesFromAFileAndIsNotStored) {
  serve(2, 0ms);
  const RedisServer server({"--requirepass", "hidden"});
  CommandRun without(words(url_of(server), 9, roots()));
  EXPECT_EQ(without.wait(), 6) << without.err();
  std::vector<std::string> more = roots();
  more.insert(more.end(), {"--cluster-password-file", folder_.write("password", "hidden\n")});
  start(url_of(server), more);
  expect_success(0);
  EXPECT_FALSE(has(support::file_content(job(0) + "/job.toml"), "hidden"));
}

TEST_F(CrawlClusterTest, OptionsThatNeedOneProcessAreRejected) {
  serve(2, 0ms);
  const RedisServer server;
  const std::vector<std::pair<std::vector<std::string>, std::string>> all = {
      {{"--depth", "3"}, "--depth"}, {{"--threads", "2"}, "--threads"}};
  for (const auto& [options, name] : all) {
    std::vector<std::string> more = roots();
    more.insert(more.end(), options.begin(), options.end());
    CommandRun run(words(url_of(server), 0, more));
    EXPECT_EQ(run.wait(), 2);
    EXPECT_THAT(run.err(), HasSubstr(name + " is not possible with --cluster"));
  }
  CommandRun homeless({"crawl", "--cluster", url_of(server), roots()[0]});
  EXPECT_EQ(homeless.wait(), 2);
  EXPECT_THAT(homeless.err(), HasSubstr("--job DIR"));
  CommandRun unknown(words(url_of(server), 0, {}));
  EXPECT_EQ(unknown.wait(), 2);
  EXPECT_THAT(unknown.err(), HasSubstr("there is no crawl museum"));
}

}  // namespace
}  // namespace gossamer::cli
