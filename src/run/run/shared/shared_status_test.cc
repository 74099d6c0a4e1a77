#include "run/shared/shared_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cluster/node_report.h"

namespace gossamer::run {
namespace {

SharedCrawlStatus some_crawl() {
  SharedCrawlStatus status = {.crawl = "m", .facts = {.identity = "i", .has_begun = true}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    status.partitions.push_back(
        {.number = i, .identity = "i", .found = 10, .ended = 4, .hosts = 3, .leased = 1, .due = 2});
  }
  return status;
}

TEST(SharedStatus, SumsAreThoseOfAllPartitions) {
  const SharedCrawlStatus status = some_crawl();
  EXPECT_EQ(status.found(), 30u);
  EXPECT_EQ(status.ended(), 12u);
  EXPECT_EQ(status.open(), 18u);
  EXPECT_EQ(status.hosts(), 9u);
  EXPECT_EQ(status.due(), 6u);
  EXPECT_EQ(status.leased(), 3u);
  SharedCrawlStatus late = some_crawl();
  for (auto& each : late.partitions) each.ended = 11;
  EXPECT_EQ(late.open(), 0u) << "after a failover more may have ended";
}

TEST(SharedStatus, TheStateIsAWord) {
  SharedCrawlStatus status = some_crawl();
  EXPECT_EQ(status.state(), "running");
  status.facts.control = cluster::Control::pause;
  EXPECT_EQ(status.state(), "paused");
  status.facts.control = cluster::Control::stop;
  EXPECT_EQ(status.state(), "stopping");
  status.facts.has_begun = false;
  EXPECT_EQ(status.state(), "being prepared");
  status.facts.end = "finished";
  EXPECT_EQ(status.state(), "ended");
}

TEST(SharedStatus, DamageIsNamed) {
  SharedCrawlStatus status = some_crawl();
  EXPECT_FALSE(status.is_damaged());
  EXPECT_EQ(status.lost(), "");
  status.partitions[1].frozen = "reshard";
  EXPECT_EQ(status.frozen(), "1");
  EXPECT_FALSE(status.is_damaged());
  status.partitions[0].identity = "";
  status.partitions[2].identity = "other";
  EXPECT_EQ(status.lost(), "0, 2");
  EXPECT_TRUE(status.is_damaged());
  status.facts.has_begun = false;
  EXPECT_EQ(status.lost(), "") << "they are being made";
  EXPECT_FALSE(status.is_damaged());
  status.partitions[2].is_misplaced = true;
  EXPECT_EQ(status.misplaced(), "2");
  EXPECT_TRUE(status.is_damaged());
}

TEST(SharedStatus, ReportsOfNodesAreAddedUp) {
  SharedCrawlStatus status = some_crawl();
  const cluster::NodeReport report = {.pages = 1,
                                      .bytes = 2,
                                      .errors = 3,
                                      .queued = 4,
                                      .in_flight = 5,
                                      .hosts = 6,
                                      .pages_per_second = 1.5};
  status.nodes = {{.name = "a", .report = to_json(report)},
                  {.name = "b", .report = "not a report"},
                  {.name = "c", .report = to_json(report)}};
  const cluster::NodeReport all = status.of_nodes();
  EXPECT_EQ(all.pages, 2u);
  EXPECT_EQ(all.bytes, 4u);
  EXPECT_EQ(all.errors, 6u);
  EXPECT_EQ(all.queued, 8u);
  EXPECT_EQ(all.in_flight, 10u);
  EXPECT_EQ(all.hosts, 12u);
  EXPECT_DOUBLE_EQ(all.pages_per_second, 3.0);
}

TEST(SharedStatus, IsOneObject) {
  SharedCrawlStatus status = some_crawl();
  status.nodes = {{.name = "a", .unseen = 1500us, .report = "{}"}, {.name = "b"}};
  status.partitions[2].identity = "";
  status.partitions[0].frozen = "x";
  status.facts.orders = 3;
  status.facts.replicas = 1;
  nlohmann::json json = nlohmann::json::parse(to_json(status));
  EXPECT_EQ(json["crawl"], "m");
  EXPECT_EQ(json["state"], "running");
  EXPECT_EQ(json["control"], "run");
  EXPECT_EQ(json["end"], "");
  EXPECT_TRUE(json["pages_left"].is_null());
  EXPECT_EQ(json["replicas"], 1);
  EXPECT_EQ(json["orders"], 3);
  EXPECT_EQ(json["found"], 30);
  EXPECT_EQ(json["ended"], 12);
  EXPECT_EQ(json["open"], 18);
  EXPECT_EQ(json["hosts"], 9);
  EXPECT_EQ(json["hosts_due"], 6);
  EXPECT_EQ(json["leased"], 3);
  EXPECT_EQ(json["frozen"], nlohmann::json::array({0}));
  EXPECT_EQ(json["lost"], nlohmann::json::array({2}));
  EXPECT_EQ(json["misplaced"], nlohmann::json::array());
  EXPECT_EQ(json["is_frozen"], false);
  ASSERT_EQ(json["nodes"].size(), 2u);
  EXPECT_EQ(json["nodes"][0]["name"], "a");
  EXPECT_EQ(json["nodes"][0]["unseen_ms"], 2);
  EXPECT_EQ(json["nodes"][0]["report"]["pages"], 0);
  EXPECT_TRUE(json["nodes"][1]["report"].is_null());
  status.facts.pages_left = 7;
  json = nlohmann::json::parse(to_json(status));
  EXPECT_EQ(json["pages_left"], 7);
}

}  // namespace
}  // namespace gossamer::run
