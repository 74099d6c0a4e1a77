// Tests how a shared crawl is watched and steered from outside, while a node runs.
#include "run/shared/shared_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/cluster_node.h>
#include <tests/support/cluster_scene.h>

#include <string>
#include <utility>

#include "async/sleep.h"
#include "async/task.h"
#include "run/control/control_protocol.h"
#include "run/shared/shared_status.h"
#include "settings/cluster_settings.h"

namespace gossamer::run {
namespace {

using async::Task;
using Kind = ControlRequest::Kind;
using testing::HasSubstr;

// BORROWS: the scene. Returns what was done, or the error.
Task<std::string> steer(sim::Scene& scene, ControlRequest request, std::string crawl = "worlds") {
  ClusterSettings there;
  there.url = scene.cluster().url(0, crawl);
  auto done = co_await steer_shared_crawl(std::move(there), std::move(request));
  co_return done ? *done : "error: " + done.error().to_string();
}

Task<Result<void>> steer_crawl(sim::Scene& scene) {
  EXPECT_TRUE(co_await scene.until_leased(1));
  EXPECT_EQ(co_await steer(scene, {.kind = Kind::pause}), "the crawl pauses");
  auto status = co_await read_shared_crawl(scene.client(), "worlds");
  EXPECT_TRUE(status.has_value()) << status.error().to_string();
  EXPECT_EQ(status->crawl, "worlds");
  EXPECT_EQ(status->facts.control, cluster::Control::pause);
  EXPECT_EQ(status->nodes.size(), 1u);
  EXPECT_EQ(status->partitions.size(), cluster::kPartitions);
  EXPECT_EQ(co_await steer(scene, {.kind = Kind::resume}), "the crawl continues");
  EXPECT_EQ(co_await steer(scene, {.kind = Kind::add, .text = "http://host-0.example/new"}),
            "1 URL added");
  EXPECT_EQ(co_await steer(scene, {.kind = Kind::block, .text = "x.example"}), "1 host blocked");
  EXPECT_EQ(co_await steer(scene, {.kind = Kind::unblock, .text = "x.example"}),
            "1 host unblocked");
  for (const std::string url : {"ftp://a.example/", "a.example", ""}) {
    EXPECT_THAT(co_await steer(scene, {.kind = Kind::add, .text = url}),
                HasSubstr("is not an http URL"))
        << url;
  }
  for (const std::string host : {"X.example", "a/b", "http://a.example/", ""}) {
    EXPECT_THAT(co_await steer(scene, {.kind = Kind::block, .text = host}),
                HasSubstr("is not a host"))
        << host;
  }
  for (const Kind kind : {Kind::rate, Kind::abort, Kind::exclude, Kind::status}) {
    EXPECT_THAT(co_await steer(scene, {.kind = kind}), HasSubstr("invalid_argument: "));
  }
  EXPECT_THAT(co_await steer(scene, {.kind = Kind::pause}, "other"), HasSubstr("not_found: "));
  status = co_await read_shared_crawl(scene.client(), "worlds");
  EXPECT_EQ(status->facts.orders, 3u);
  EXPECT_FALSE(co_await read_shared_crawl(scene.client(), "other"));
  static_cast<void>(co_await async::sleep(3s));
  EXPECT_EQ(co_await steer(scene, {.kind = Kind::stop}), "the crawl stops");
  EXPECT_THAT(co_await steer(scene, {.kind = Kind::resume}), HasSubstr("closed: "));
  EXPECT_THAT(co_await steer(scene, {.kind = Kind::add, .text = "http://host-0.example/late"}),
              HasSubstr("closed: the crawl has ended or was stopped"));
  co_return {};
}

TEST(SharedControl, SteersTheNodesOfACrawl) {
  sim::Scene scene(1, {.masters = 2, .replicas = 0});
  scene.run(steer_crawl);
  EXPECT_TRUE(scene.requested().contains("host-0.example/new"));
}

Task<Result<void>> steer_after_the_end(sim::Scene& scene) {
  EXPECT_TRUE(co_await sim::Scene::until([&] { return scene.node(0).has_ended(); }, 5min));
  EXPECT_THAT(co_await steer(scene, {.kind = Kind::pause}), HasSubstr("the crawl has ended"));
  EXPECT_EQ(co_await steer(scene, {.kind = Kind::stop}), "the crawl stops");
  co_return {};
}

TEST(SharedControl, ACrawlThatHasEndedCanOnlyBeStopped) {
  sim::Scene scene(1, {.masters = 2, .replicas = 0}, 5);
  scene.run(steer_after_the_end);
}

}  // namespace
}  // namespace gossamer::run
