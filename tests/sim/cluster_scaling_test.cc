// How a shared crawl scales, in virtual time: every response takes as long, and no node, server or
// network is busy. What is left is the frontier: leases, links and the end. All nodes are busy from
// the first second on, but the last hosts are not spread over all of them: four nodes lose about a
// second, so a site with four times as many pages reaches 3.86x. Many nodes have twelve hosts
// each, too. They count hosts less often, so when hosts end, it takes longer until a node without
// hosts gets some: the second half of such a short crawl is slower.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/cluster_node.h>
#include <tests/support/crawl_worlds.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/loop.h"
#include "base/log.h"
#include "base/random.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/world.h"
#include "tests/support/suite.h"

namespace gossamer::sim {
namespace {

constexpr std::size_t kHostsPerNode = 12;
constexpr std::uint64_t kPages = 32;  // of each host
constexpr std::uint32_t kConcurrency = 8;
constexpr Duration kDelay = 200ms;  // of every response

Plan scaling_plan(std::size_t hosts) {
  Plan plan;
  plan.world = calm_options(1);
  plan.world.network.delay = {5ms, 5ms};
  plan.is_calm = true;
  plan.site.seed = 1;
  plan.site.pages = kPages;
  plan.site.links_min = 4;
  plan.site.links_max = 8;
  plan.site.page_bytes_min = 500;
  plan.site.page_bytes_max = 1000;
  plan.site.delay = kDelay;
  plan.site.has_sitemap = false;
  plan.site.hosts.clear();
  plan.truth.roots.clear();
  for (std::uint32_t i = 0; i < hosts; ++i) {
    plan.site.hosts.push_back(fmt::format("host-{}.example", i));
    plan.truth.roots.push_back(i);
  }
  return plan;
}

// A crawl of so many hosts by so many nodes.
class Crew {
 public:
  Crew(std::size_t count, std::size_t hosts) : count_(count), plan_(scaling_plan(hosts)) {}

  // Returns pages per second.
  double run() {
    World world(plan_.world);
    Fate fate = {.seed = 1, .random = base::Random(1)};
    const auto log = world.run(
        live_beside(plan_, site_, fate, [this](net::Resolver& names) { return crawl(names); }));
    std::set<std::string> pages;
    Instant last = {};
    for (const site::LogEntry& entry : log) {
      if (entry.target != "/robots.txt") pages.insert(entry.host + entry.target);
      last = std::max(last, entry.ended);
    }
    for (const auto& node : nodes_) EXPECT_TRUE(node->has_finished()) << node->failure();
    EXPECT_GE(pages.size(), plan_.site.hosts.size() * kPages);
    EXPECT_EQ(world.loop().live_tasks(), 0u);
    nodes_.clear();
    cluster_.reset();
    const std::chrono::duration<double> took = last - log.front().begun;
    return static_cast<double>(pages.size()) / took.count();
  }

 private:
  // BORROWS: this and the names.
  async::Task<void> crawl(net::Resolver& names) {
    cluster_.emplace(redis_model::ClusterOptions{.doors = 1 + count_, .lag = {1ms, 2ms}},
                     base::Random(1));
    cluster_->start();
    for (std::size_t i = 0; i < count_; ++i) {
      nodes_.push_back(std::make_unique<ClusterNode>(
          i, async::Loop::current(), [this] { return settings(); }, *cluster_, i));
      nodes_.back()->start(names);
    }
    for (const auto& node : nodes_) co_await node->join();
    co_await cluster_->stop();
  }

  run::CrawlSettings settings() const {
    run::CrawlSettings settings = crawl_settings(plan_, site_);
    settings.concurrency = kConcurrency;
    return settings;
  }

  const std::size_t count_;
  const Plan plan_;
  const site::Site site_{plan_.site};
  std::optional<redis_model::Cluster> cluster_;
  std::vector<std::unique_ptr<ClusterNode>> nodes_;
};

TEST(ClusterScalingTest, MoreNodesFetchMorePages) {
  base::set_log_level(base::LogLevel::error);
  constexpr std::size_t hosts = 4 * kHostsPerNode;
  const double one = Crew(1, hosts).run();
  const double two = Crew(2, hosts).run();
  const double four = Crew(4, hosts).run();
  fmt::print(
      "pages per second of virtual time: 1 node {:.1f}, 2 nodes {:.1f} ({:.2f}x), "
      "4 nodes {:.1f} ({:.2f}x)\n",
      one, two, two / one, four, four / one);
  EXPECT_GE(two, 1.9 * one);
  EXPECT_GE(four, 3.5 * one);
}

// A hundred in the long suite.
TEST(ClusterScalingTest, ManyNodesWork) {
  base::set_log_level(base::LogLevel::error);
  const std::size_t nodes = support::is_long_suite() ? 100 : 12;
  const double four = Crew(4, 4 * kHostsPerNode).run();
  const double many = Crew(nodes, nodes * kHostsPerNode).run();
  fmt::print("pages per second of virtual time: 4 nodes {:.1f}, {} nodes {:.1f} ({:.1f}x)\n", four,
             nodes, many, many / four);
  EXPECT_GE(many, 0.6 * static_cast<double>(nodes) / 4 * four);
}

}  // namespace
}  // namespace gossamer::sim
