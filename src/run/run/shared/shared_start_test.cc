// Nodes of shared crawls that are stopped or fail before they crawl, in virtual time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/cluster_node.h>
#include <tests/support/cluster_scene.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "async/sleep.h"
#include "cluster/shared_crawl.h"
#include "settings/crawl_settings.h"
#include "settings/job_settings.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/disk.h"

namespace gossamer::run {
namespace {

using async::Task;
using testing::Contains;
using testing::EndsWith;
using testing::IsEmpty;
using testing::Not;

// A scene of one node that has an archive.
class Start : public sim::Scene {
 public:
  Start() : sim::Scene(1, {.masters = 2, .replicas = 0}) {
    disk = std::make_shared<sim::Disk>();
    tune = [](CrawlSettings& settings) {
      settings.archive.has_index = true;
      settings.archive.has_package = true;
    };
  }
};

// A process dies, and the next one does not reach Redis. Returns the files that the first one left.
// BORROWS: the scene.
Task<std::vector<std::string>> restart_without_redis(sim::Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(1));
  static_cast<void>(co_await async::sleep(1s));
  sim::ClusterNode& node = scene.node(0);
  node.kill(1s);
  EXPECT_TRUE(co_await sim::Scene::until([&] { return !node.is_running(); }, 30s));
  scene.cluster().cut_door(node.door(), true);
  std::vector<std::string> left = scene.disk->names();
  EXPECT_TRUE(co_await sim::Scene::until([&] { return node.is_running(); }, 30s));
  static_cast<void>(co_await async::sleep(500ms));
  co_return left;
}

Task<Result<void>> stop_while_joining(sim::Scene& scene) {
  static_cast<void>(co_await restart_without_redis(scene));
  sim::ClusterNode& node = scene.node(0);
  node.stop();
  EXPECT_TRUE(co_await sim::Scene::until([&] { return node.has_ended(); }, 1s))
      << "it waits for Redis";
  EXPECT_EQ(node.failure(), "");
  scene.cluster().cut_door(node.door(), false);
  co_return {};
}

TEST(ClusterStartTest, ANodeThatIsStoppedWhileItJoinsClosesEverything) {
  Start scene;
  scene.run(stop_while_joining);
  EXPECT_THAT(scene.disk->names(), Not(Contains(EndsWith(".open"))));
  EXPECT_THAT(scene.disk->names(), Contains("crawl.wacz"));
  EXPECT_TRUE(scene.node(0).has_begun());
  EXPECT_FALSE(scene.node(0).has_open_sink());
  const std::string index = scene.disk->content("crawl.cdxj").value_or("");
  const auto records = scene.node(0).records();
  EXPECT_THAT(records, Not(IsEmpty()));
  for (const auto& record : records) EXPECT_TRUE(index.contains(record.url)) << record.url;
}

Task<Result<void>> fail_to_join(sim::Scene& scene) {
  const std::vector<std::string> before = co_await restart_without_redis(scene);
  sim::ClusterNode& node = scene.node(0);
  EXPECT_TRUE(co_await sim::Scene::until([&] { return !node.is_running(); }, 2min));
  EXPECT_NE(node.failure(), "");
  EXPECT_FALSE(node.has_begun());
  EXPECT_EQ(scene.disk->names(), before);
  scene.cluster().cut_door(node.door(), false);
  co_return {};
}

TEST(ClusterStartTest, ANodeThatCannotJoinWritesNothingAndTheNextOneLosesNothing) {
  Start scene;
  scene.run(fail_to_join);
  EXPECT_TRUE(scene.node(0).has_finished());
  EXPECT_THAT(scene.disk->names(), Not(Contains(EndsWith(".open"))));
  const std::string index = scene.disk->content("crawl.cdxj").value_or("");
  const auto records = scene.node(0).records();
  EXPECT_EQ(records.size(), scene.requested().size());
  for (const auto& record : records) EXPECT_TRUE(index.contains(record.url)) << record.url;
}

Task<Result<void>> fail_to_join_at_first(sim::Scene& scene) {
  sim::ClusterNode& node = scene.node(0);
  EXPECT_TRUE(co_await sim::Scene::until([&] { return node.failure() != ""; }, 2min));
  EXPECT_FALSE(node.has_configuration());
  EXPECT_THAT(scene.disk->names(), IsEmpty());
  scene.cluster().cut_door(node.door(), false);
  co_return {};
}

TEST(ClusterStartTest, ANewNodeThatCannotJoinMayHaveOtherSettingsNextTime) {
  Start scene;
  std::size_t processes = 0;
  scene.tune = [&](CrawlSettings& settings) {
    if (processes++ > 0) return;
    scene.cluster().cut_door(1, true);
    settings.job.configuration = configuration_of(settings.roots, "depth = 7\n");
  };
  scene.run(fail_to_join_at_first);
  EXPECT_EQ(processes, 2u);
  EXPECT_TRUE(scene.node(0).has_finished());
  EXPECT_TRUE(scene.node(0).has_configuration());
}

Task<Result<void>> join_without_an_archive(sim::Scene& scene) {
  sim::ClusterNode& node = scene.node(0);
  EXPECT_TRUE(co_await sim::Scene::until([&] { return node.failure() != ""; }, 30s));
  cluster::SharedCrawl crawl(scene.client(), {.crawl = "worlds", .node = {}});
  const auto nodes = co_await crawl.nodes();
  if (!nodes) co_return fail(nodes.error().copy());
  EXPECT_TRUE(nodes->empty()) << nodes->front().name;
  co_return {};
}

TEST(ClusterStartTest, ANodeThatCannotOpenItsArchiveLeaves) {
  Start scene;
  scene.disk->fail_operation(1, EIO);
  scene.run(join_without_an_archive);
  EXPECT_TRUE(scene.node(0).has_finished());
}

// The second process begins when a master has just died.
Task<Result<void>> join_during_a_failover(sim::Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(1));
  sim::ClusterNode& node = scene.node(0);
  node.kill(1s);
  redis_model::Cluster& cluster = scene.cluster();
  EXPECT_TRUE(co_await sim::Scene::until([&] { return cluster.failovers() == 1; }, 1min));
  EXPECT_TRUE(co_await sim::Scene::until([&] { return node.has_begun(); }, 1min)) << node.failure();
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (!cluster.server(i).is_up) cluster.revive(i);
  }
  co_return {};
}

TEST(ClusterStartTest, ANodeThatJoinsDuringAFailoverWaits) {
  sim::Scene scene(1, {.masters = 3, .replicas = 1, .detection = {10s, 10s}});
  std::size_t processes = 0;
  scene.tune = [&](CrawlSettings&) {
    if (++processes == 2) scene.cluster().kill(scene.cluster().masters().front());
  };
  scene.run(join_during_a_failover);
  EXPECT_EQ(processes, 2u);
  EXPECT_TRUE(scene.node(0).said().contains("this node waits to join the shared crawl: "));
  EXPECT_TRUE(scene.node(0).has_finished());
}

// The first loop has joined, the others have not.
Task<Result<void>> stop_while_others_join(sim::Scene& scene) {
  sim::ClusterNode& node = scene.node(0);
  EXPECT_TRUE(co_await sim::Scene::until([&] { return node.has_begun(); }, 30s));
  scene.cluster().cut_door(node.door(), true);
  static_cast<void>(co_await async::sleep(1s));
  node.stop();
  // The first one tries to release its hosts.
  EXPECT_TRUE(co_await sim::Scene::until([&] { return node.has_ended(); }, 12s)) << "others wait";
  EXPECT_EQ(node.failure(), "");
  scene.cluster().cut_door(node.door(), false);
  co_return {};
}

TEST(ClusterStartTest, OtherLoopsStopWhileTheyJoin) {
  sim::Scene scene(1, {.masters = 2, .replicas = 0});
  scene.tune = [](CrawlSettings& settings) { settings.threads = 3; };
  scene.run(stop_while_others_join);
}

}  // namespace
}  // namespace gossamer::run
