// Single faults of shared crawls, in virtual time: a part of Redis is silent, frozen or lost, or a
// node dies. What the others do meanwhile is visible in Redis.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/cluster_node.h>
#include <tests/support/cluster_scene.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "cluster/layout.h"
#include "cluster/shared_crawl.h"
#include "frontier/open_work.h"
#include "node/link_outbox.h"
#include "node/page_allowance.h"
#include "redis/client.h"
#include "redis/slot.h"
#include "tests/redis_model/cluster.h"

namespace gossamer::sim {
namespace {

using async::Task;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::set<std::uint32_t> used_partitions() {
  std::set<std::uint32_t> all;
  for (std::size_t i = 0; i < kSceneHosts; ++i) all.insert(node::partition_of(host_name(i)));
  return all;
}

// --- a part of Redis is silent

// A count of all partitions waits for the silent master, and so does a step to another level.
Task<Result<void>> silence_a_master(Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(kSceneHosts));
  redis_model::Cluster& servers = scene.cluster();
  const std::uint16_t slot = redis::slot_of(cluster::crawl_key("worlds"));
  const std::size_t silent = servers.owners()->at(slot) == 0 ? 1 : 0;
  servers.pause(silent, true);
  cluster::SharedCrawl crawl(scene.client(), {.crawl = "worlds"});
  Duration longest = {};
  for (const Instant end = scene_now() + 40s; scene_now() < end;) {
    static_cast<void>(co_await async::sleep(500ms));
    const auto nodes = co_await crawl.nodes();
    if (!nodes || nodes->size() != 2) co_return fail(Errc::internal, "the nodes are not there");
    for (const cluster::NodeStatus& each : *nodes) longest = std::max(longest, each.unseen);
  }
  servers.pause(silent, false);
  EXPECT_LT(longest, 3s);
  co_return {};
}

TEST(SharedNodeTest, BeatsWhileAPartOfRedisIsSilent) {
  Scene scene(2, {.masters = 2, .replicas = 0});
  scene.tune = [](run::CrawlSettings& settings) { settings.scope.depth_max = 20; };
  scene.run(silence_a_master);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(scene.node(i).has_finished());
}

// --- a part of Redis is lost

// No host is in that partition, so all leases can be given back.
Task<Result<void>> lose_a_partition(Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(kSceneHosts));
  std::uint32_t unused = 0;
  while (used_partitions().contains(unused)) ++unused;
  EXPECT_GT(scene.cluster().sum("l"), 0);
  const std::string key = cluster::partition_key("worlds", unused);
  EXPECT_TRUE(co_await scene.ask(key, {"DEL", key}));
  EXPECT_TRUE(co_await Scene::until([&] { return scene.node(0).has_ended(); }, 2min));
  EXPECT_EQ(scene.cluster().sum("l"), 0) << "hosts are still leased";
  co_return {};
}

TEST(SharedNodeTest, AllLoopsGiveTheirLeasesBackIfOneLosesTheCrawl) {
  Scene scene(1, {.masters = 2, .replicas = 0});
  scene.tune = [](run::CrawlSettings& settings) {
    settings.threads = 3;
    settings.cluster.lease = 1h;
  };
  scene.run(lose_a_partition);
}

// Hosts that have no links into that partition can be given back.
Task<Result<void>> lose_a_linked_partition(Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(kSceneHosts));
  const std::string key = cluster::partition_key("worlds", node::partition_of(host_name(0)));
  EXPECT_TRUE(co_await scene.ask(key, {"DEL", key}));
  const std::int64_t before = scene.cluster().sum("l");
  EXPECT_TRUE(co_await Scene::until([&] { return scene.node(0).has_ended(); }, 2min));
  EXPECT_LT(scene.cluster().sum("l"), before / 2) << "of " << before << " leased hosts";
  co_return {};
}

TEST(SharedNodeTest, HostsWithoutLinksIntoALostPartitionAreGivenBack) {
  Scene scene(1, {.masters = 2, .replicas = 0});
  scene.tune = [](run::CrawlSettings& settings) { settings.cluster.lease = 1h; };
  scene.run(lose_a_linked_partition);
}

// --- a partition is frozen

// BORROWS, both: the scene.
Task<void> freeze(Scene& scene, std::uint32_t partition) {
  const std::string key = cluster::partition_key("worlds", partition);
  EXPECT_TRUE(co_await scene.ask(key, {"HSET", key, "f", "1"}));
}

Task<void> thaw(Scene& scene, std::uint32_t partition) {
  const std::string key = cluster::partition_key("worlds", partition);
  EXPECT_TRUE(co_await scene.ask(key, {"HDEL", key, "f"}));
}

Task<Result<void>> freeze_a_partition(Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(kSceneHosts));
  const std::uint32_t frozen = node::partition_of(host_name(0));
  co_await freeze(scene, frozen);
  const std::int64_t before = co_await scene.field_of(frozen, "e");
  static_cast<void>(co_await async::sleep(2min));
  // Hosts in other partitions have ended, except pages that link to the frozen one.
  const std::int64_t others = scene.cluster().sum("e") - before;
  EXPECT_GE(others, static_cast<std::int64_t>((kSceneHosts - 1) * kScenePages * 3 / 4));
  EXPECT_EQ(co_await scene.field_of(frozen, "e"), before);
  co_await thaw(scene, frozen);
  co_return {};
}

// Each of the frozen hosts has about 64 leased URLs, which together are more than a node may hold.
Task<Result<void>> freeze_many_partitions(Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(kSceneHosts));
  static_cast<void>(co_await async::sleep(5s));
  std::set<std::uint32_t> frozen = used_partitions();
  const std::uint32_t free = node::partition_of(host_name(0));
  frozen.erase(free);
  EXPECT_GE(frozen.size(), 6u);
  for (const std::uint32_t each : frozen) co_await freeze(scene, each);
  static_cast<void>(co_await async::sleep(3min));
  EXPECT_GE(co_await scene.field_of(free, "e"), 150);
  for (const std::uint32_t each : frozen) co_await thaw(scene, each);
  co_return {};
}

TEST(SharedNodeTest, ManyStuckHostsLeaveRoomForOthers) {
  Scene scene(1, {.masters = 2, .replicas = 0}, 150);
  scene.run(freeze_many_partitions);
  EXPECT_TRUE(scene.node(0).has_finished()) << scene.node(0).failure();
  EXPECT_GE(scene.requested().size(), kSceneHosts * 150);
}

// All URLs are known, so no link is held: only completions fail.
Task<void> freeze_used_partitions(Scene& scene) {
  std::int64_t found = 0;
  const auto is_all_found = [&] {
    const std::int64_t before = std::exchange(found, scene.cluster().sum("a"));
    return found == before && found >= static_cast<std::int64_t>(kSceneHosts * 150);
  };
  EXPECT_TRUE(co_await Scene::until(is_all_found, 5min));
  for (const std::uint32_t each : used_partitions()) co_await freeze(scene, each);
}

Task<Result<void>> freeze_all_partitions(Scene& scene) {
  co_await freeze_used_partitions(scene);
  scene.fault_begin = scene_now();
  static_cast<void>(co_await async::sleep(5min));
  scene.fault_end = scene_now();
  for (const std::uint32_t each : used_partitions()) co_await thaw(scene, each);
  co_return {};
}

// One partition remains frozen, from which the node wants to lease hosts.
Task<Result<void>> thaw_all_but_one(Scene& scene) {
  co_await freeze_used_partitions(scene);
  static_cast<void>(co_await async::sleep(5min));
  const std::uint32_t last = node::partition_of(host_name(0));
  for (const std::uint32_t each : used_partitions()) {
    if (each != last) co_await thaw(scene, each);
  }
  scene.fault_begin = scene_now();
  static_cast<void>(co_await async::sleep(2min));
  scene.fault_end = scene_now();
  co_await thaw(scene, last);
  co_return {};
}

TEST(SharedNodeTest, FewPagesAreFetchedWhileCompletionsFail) {
  Scene scene(1, {.masters = 2, .replicas = 0}, 150);
  scene.tune = [](run::CrawlSettings& settings) { settings.cluster.lease = 1h; };
  scene.run(freeze_all_partitions);
  EXPECT_TRUE(scene.node(0).has_finished()) << scene.node(0).failure();
  EXPECT_LE(scene.requests_between(scene.fault_begin, scene.fault_end), 256u);
  EXPECT_GE(scene.requests_between(scene.fault_end, Instant::max()), 100u) << "some were left";
}

TEST(SharedNodeTest, ANodeResumesThoughOnePartitionStaysFrozen) {
  Scene scene(1, {.masters = 2, .replicas = 0}, 150);
  scene.tune = [](run::CrawlSettings& settings) { settings.cluster.lease = 1h; };
  scene.run(thaw_all_but_one);
  EXPECT_TRUE(scene.node(0).has_finished()) << scene.node(0).failure();
  EXPECT_GE(scene.requests_between(scene.fault_begin, scene.fault_end), 100u);
}

TEST(SharedNodeTest, AFrozenPartitionHoldsUpOnlyHostsThatLinkToIt) {
  Scene scene(1, {.masters = 2, .replicas = 0});
  scene.run(freeze_a_partition);
  EXPECT_TRUE(scene.node(0).has_finished()) << scene.node(0).failure();
  EXPECT_THAT(scene.node(0).said(), HasSubstr("a part of the shared crawl waits: "));
  EXPECT_THAT(scene.node(0).said(), Not(StartsWith("the shared crawl waits: ")));
  EXPECT_THAT(scene.node(0).said(), Not(HasSubstr("\nthe shared crawl waits: ")));
  EXPECT_GE(scene.requested().size(), kSceneHosts * kScenePages);
}

// --- pages of the limit

Task<Result<void>> use_blocks_of_pages(Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(1));
  cluster::SharedCrawl crawl(scene.client(), {.crawl = "limited", .node = "one"});
  auto facts = co_await crawl.join({.settings = "a=b", .pages_max = 100, .identity = "limited"});
  if (!facts) co_return fail(facts.error().copy());
  crawler::OpenWork work(0, false);
  node::PageAllowance pages(crawl, work, true, 1min);
  EXPECT_FALSE(pages.runs_short()) << "the first block is not taken";
  using Taken = node::PageAllowance::Taken;
  EXPECT_EQ((co_await pages.take(*facts, true)).value(), Taken::more);
  for (int blocks = 0; blocks < 3; ++blocks) {
    EXPECT_FALSE(pages.runs_short());
    while (!pages.runs_short() && work.take_page()) continue;
    EXPECT_GT(work.pages().left, 0u);
    EXPECT_FALSE(pages.runs_short()) << "once for each call";
    EXPECT_EQ((co_await pages.take(*facts, true)).value(), Taken::more);
  }
  co_return {};
}

TEST(SharedNodeTest, ANodeTakesMorePagesBeforeItHasNone) {
  Scene scene(1, {.masters = 2, .replicas = 0});
  scene.run(use_blocks_of_pages);
}

// --- a node dies with pages of the limit

constexpr std::uint64_t kLimit = 100;

Task<Result<void>> kill_a_node(Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(kSceneHosts));
  static_cast<void>(co_await async::sleep(1s));
  scene.node(1).kill(10min);
  EXPECT_TRUE(co_await Scene::until([&] { return scene.node(0).has_ended(); }, 5min));
  cluster::SharedCrawl crawl(scene.client(), {.crawl = "worlds"});
  const auto facts = co_await crawl.facts();
  if (!facts) co_return fail(facts.error().copy());
  EXPECT_EQ(facts->end, "page_limit");
  EXPECT_EQ(facts->pages_left, 0u);
  EXPECT_EQ(facts->pages_reserved, 0u);
  co_return {};
}

TEST(SharedNodeTest, PagesThatADeadNodeHasReservedAreFetchedByOthers) {
  Scene scene(2, {.masters = 2, .replicas = 0});
  scene.tune = [](run::CrawlSettings& settings) {
    settings.pages_max = kLimit;
    settings.cluster.lease = 3s;
  };
  scene.run(kill_a_node);
  const std::size_t rows = scene.node(0).records().size() + scene.node(1).records().size();
  EXPECT_GE(rows, kLimit);
  EXPECT_LE(rows, kLimit + 16) << "pages that the dead node had not reported";
}

}  // namespace
}  // namespace gossamer::sim
