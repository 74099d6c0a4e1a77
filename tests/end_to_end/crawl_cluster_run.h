// For tests of `gossamer crawl --cluster`: several processes, real Redis servers, and a site whose
// log says what was really fetched.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "tests/end_to_end/crawl_job_run.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/suite.h"

namespace gossamer::cli {

using redis::RedisServer;

inline constexpr std::uint8_t kHosts = 6;

// A site with several hosts, 127.0.0.1 and up, on one port.
class HostsOnLoopback {
 public:
  // With `has_names`, their names are h1.test and up.
  HostsOnLoopback(site::SiteOptions options, bool has_names)
      : has_names_(has_names), options_(std::move(options)) {}

  Result<void> listen() {
    std::uint16_t port = 0;
    options_.hosts.clear();
    for (std::uint8_t i = 1; i <= kHosts; ++i) {
      auto listener = async::Listener::bind(async::Endpoint::v4(127, 0, 0, i, port));
      if (!listener) return fail(std::move(listener).error());
      port = listener->endpoint().port;
      options_.hosts.push_back(has_names_
                                   ? "h" + std::to_string(i) + ".test:" + std::to_string(port)
                                   : listener->endpoint().to_string());
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
  const bool has_names_;
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
  void serve(std::uint64_t pages, Duration delay, bool has_names = false) {
    site::SiteOptions options;
    options.pages = pages;
    options.delay = delay;
    site_.emplace(std::move(options), has_names);
  }
  // The same with many redirects, also to pages that are linked from elsewhere.
  void serve_redirects(std::uint64_t pages, Duration delay) {
    site::SiteOptions options;
    options.pages = pages;
    options.delay = delay;
    options.moved = 0.3;
    options.redirects = 0.2;
    site_.emplace(std::move(options), false);
  }

  static std::string url_of(const RedisServer& server) {
    return "redis://" + server.node().to_string() + "/museum";
  }
  std::string job(std::size_t node) const { return folder_.file("node" + std::to_string(node)); }
  // The roots, and after them these options.
  std::vector<std::string> roots(std::vector<std::string> options = {}) const {
    std::vector<std::string> words;
    for (int i = 1; i <= kHosts; ++i) {
      words.push_back("http://127.0.0." + std::to_string(i) + ":" + site_->port() + "/");
    }
    std::ranges::move(options, std::back_inserter(words));
    return words;
  }
  std::vector<std::string> words(const std::string& url, std::size_t node,
                                 std::vector<std::string> more) const {
    more.insert(more.end(), {"--cluster", url, "-o", "/dev/null", "--cluster-lease", lease_});
    return job_words(job(node), 8, of_host_, std::move(more));
  }
  // Starts a node. Without `more`, it has the roots.
  CommandRun& start(const std::string& url, std::optional<std::vector<std::string>> more = {}) {
    const std::size_t number = nodes_.size();
    return *nodes_.emplace_back(
        std::make_unique<CommandRun>(words(url, number, more.value_or(roots()))));
  }
  // Starts nodes that all have joined before the first one fetches.
  void start_together(const std::string& url, std::size_t count,
                      std::optional<std::vector<std::string>> more = {}, std::size_t loops = 1) {
    start(url, more);
    wait_until_paused(url);
    while (nodes_.size() < count) start(url, more);
    wait_for_nodes(url, count * loops);
    EXPECT_EQ(CommandRun({"cluster", "resume", url}).wait(), 0);
  }
  // Pauses the crawl as soon as a node has begun it.
  static void wait_until_paused(const std::string& url) {
    support::wait_until([&] { return CommandRun({"cluster", "pause", url}).wait() == 0; });
  }
  // What `cluster status` says; empty if it fails.
  static Json status_of(const std::string& url) {
    CommandRun status({"cluster", "status", url, "--json"});
    return status.wait() == 0 ? Json::parse(status.out()) : Json();
  }
  static void wait_for_nodes(const std::string& url, std::size_t count) {
    support::wait_until([&] {
      const Json status = status_of(url);
      return status.is_object() && status["nodes"].size() == count;
    });
  }
  std::uint64_t requests() {
    return site_->ask([](HostsOnLoopback& site) { return site.server().requests(); });
  }
  void wait_for_pages(std::uint64_t count) {
    support::wait_until([&] { return requests() >= count; });
  }
  // Sends a command to Redis.
  static void tell(const RedisServer& server, std::vector<std::string> words) {
    async::Loop loop;
    loop.run(tell_redis(server.node(), std::move(words)));
  }
  static async::Task<void> tell_redis(redis::Node node, std::vector<std::string> words) {
    redis::TestClient client({node});
    const auto reply = co_await redis::ask(*client, node, std::move(words));
    EXPECT_TRUE(reply.has_value() && !reply->is_error());
    co_await client.close();
  }
  // The times at which requests to each host began, in order. REQUIRES: the site was stopped.
  std::map<std::string, std::vector<Instant>> request_times() {
    std::map<std::string, std::vector<Instant>> times;
    for (const site::LogEntry& entry : site_->server().server().log()) {
      times[entry.host].push_back(entry.begun);
    }
    for (auto& [host, list] : times) std::ranges::sort(list);
    return times;
  }
  // Expects that no two requests to a host began within less than `pause`. The server notes when it
  // reads a request. A busy machine delays that, but the pause of a host with one request at a time
  // begins later still: when the response has arrived. REQUIRES: the site was stopped.
  void expect_pauses(Duration pause) {
    for (const auto& [host, times] : request_times()) {
      for (std::size_t i = 1; i < times.size(); ++i) {
        EXPECT_GE(times[i] - times[i - 1], pause) << host << " request " << i;
      }
    }
  }
  void kill(std::size_t node) {
    nodes_[node]->send_signal(SIGKILL);
    EXPECT_EQ(nodes_[node]->wait(), -1);
  }
  void expect_success(std::size_t node) {
    const int exit_code = nodes_[node]->wait();
    EXPECT_EQ(exit_code, 0) << "node " << node << ": " << nodes_[node]->err();
  }

  // The pages that a crawl must fetch, by URL. REQUIRES: the site was stopped.
  std::map<std::string, site::TruthEntry> wanted(std::optional<std::uint32_t> depth_max) {
    site::TruthOptions options;
    options.roots = {0, 1, 2, 3, 4, 5};
    options.depth_max = depth_max;
    std::map<std::string, site::TruthEntry> wanted;
    for (const site::TruthEntry& entry : site_->server().site().truth(options).entries) {
      if (entry.must_fetch) wanted.emplace(entry.url, entry);
    }
    return wanted;
  }

  // Expects that every page was fetched, and has a record of one of the nodes; with a limit of
  // depth also that it has its smallest depth. Returns how often pages were fetched again.
  std::size_t expect_all(std::optional<std::uint32_t> depth_max = {}) {
    site_->stop();
    const std::map<std::string, site::TruthEntry> truth = wanted(depth_max);
    std::map<std::string, std::size_t> asked;
    for (const site::LogEntry& entry : site_->server().server().log()) {
      if (entry.target != "/robots.txt") ++asked[normal("http://" + entry.host + entry.target)];
    }
    std::map<std::string, std::size_t> recorded;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      CommandRun list({"job", "export", job(i), "--jsonl", "-"});
      EXPECT_EQ(list.wait(), 0) << list.err();
      for (const std::string& line : list.out_lines()) {
        const Json record = Json::parse(line);
        const std::string url = normal(record["url"]);
        ++recorded[url];
        if (!depth_max) continue;
        EXPECT_TRUE(truth.contains(url)) << url << " is too deep";
        if (truth.contains(url)) EXPECT_EQ(record["depth"], truth.at(url).depth) << url;
      }
      expect_valid_archive_of(job(i), true);
    }
    std::size_t missing = 0;
    for (const auto& [url, entry] : truth) {
      const bool is_there = asked.contains(url) && recorded.contains(url);
      if (!is_there && ++missing < 10) ADD_FAILURE() << "lost: " << url;
    }
    EXPECT_EQ(missing, 0u);
    return repeats_in(asked);
  }

  // Expects that the directories of all nodes, merged, have one record of every page. REQUIRES: the
  // site was stopped.
  void expect_merged() {
    std::vector<std::string> merge = {"cluster", "export"};
    for (std::size_t i = 0; i < nodes_.size(); ++i) merge.push_back(job(i));
    const std::string file = folder_.file("merged.jsonl");
    merge.insert(merge.end(), {"--job", folder_.file("merged"), "--jsonl", file});
    CommandRun merged(merge);
    ASSERT_EQ(merged.wait(), 0) << merged.err();
    std::map<std::string, int> records;
    for (const Json& record : records_in(file)) {
      if (record["status"] == 200) ++records[normal(record["url"])];
    }
    for (const auto& [url, entry] : wanted({})) EXPECT_EQ(records[url], 1) << url;
    expect_valid_archive_of(folder_.file("merged"), true);
  }

  // Expects that no page was fetched before all of the levels before. REQUIRES: the site was
  // stopped.
  void expect_levels(std::uint32_t depth_max) {
    const std::map<std::string, site::TruthEntry> truth = wanted(depth_max);
    std::vector<std::pair<Instant, std::uint32_t>> requests;
    for (const site::LogEntry& entry : site_->server().server().log()) {
      const auto found = truth.find(normal("http://" + entry.host + entry.target));
      if (found != truth.end()) requests.emplace_back(entry.begun, found->second.depth);
    }
    std::ranges::sort(requests);
    EXPECT_TRUE(std::ranges::is_sorted(requests, {}, &std::pair<Instant, std::uint32_t>::second));
    EXPECT_EQ(requests.back().second, depth_max);
  }

  // The number of pages that a node has.
  std::size_t pages_of(std::size_t node) {
    CommandRun list({"job", "export", job(node), "--jsonl", "-"});
    EXPECT_EQ(list.wait(), 0) << list.err();
    return list.out_lines().size();
  }

  // If no node dies, leases must not expire: not even on a busy machine.
  std::string lease_ = "60s";
  std::size_t of_host_ = 2;
  support::TestFolder folder_;
  std::optional<support::ServerThread<HostsOnLoopback>> site_;
  std::vector<std::unique_ptr<CommandRun>> nodes_;
};

}  // namespace gossamer::cli
