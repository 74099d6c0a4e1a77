#include "serve/cluster_crawl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulated/world.h"

namespace gossamer::serve {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

run::SharedCrawlStatus running_crawl() {
  run::SharedCrawlStatus status;
  status.facts.identity = "i";
  status.facts.has_begun = true;
  status.nodes = {{.name = "a", .report = R"({"in_flight": 3, "pages_per_second": 2.5})"},
                  {.name = "b", .report = R"({"in_flight": 4, "pages_per_second": 1.5})"}};
  status.partitions = {
      {.number = 0, .identity = "i", .found = 60, .ended = 10, .hosts = 9, .leased = 2, .due = 5},
      {.number = 1, .identity = "i", .found = 60, .ended = 10, .hosts = 9, .leased = 1, .due = 2}};
  return status;
}

TEST(WhyASharedCrawlIsNotFinished, NamesTheReason) {
  run::SharedCrawlStatus status = running_crawl();
  EXPECT_EQ(why_not_finished(status, 0),
            "100 URLs are open on 7 hosts. 2 nodes have leased 3 hosts.");
  EXPECT_THAT(why_not_finished(status, 10), HasSubstr("they take 11 s"));
  status.facts.control = cluster::Control::pause;
  EXPECT_THAT(why_not_finished(status, 10), StartsWith("The crawl is paused on 2 nodes"));
  status.facts.control = cluster::Control::stop;
  EXPECT_THAT(why_not_finished(status, 10), HasSubstr("7 requests in flight"));
  status.nodes.clear();
  EXPECT_THAT(why_not_finished(status, 10), StartsWith("The crawl was stopped"));
  status.facts.control = cluster::Control::run;
  EXPECT_THAT(why_not_finished(status, 10), HasSubstr("there is no node"));
  status.partitions[1].identity.clear();
  EXPECT_THAT(why_not_finished(status, 10), HasSubstr("lost a part"));
  status.facts.end = "finished";
  EXPECT_EQ(why_not_finished(status, 10), "The crawl has ended: finished.");
}

TEST(ClusterCrawl, LogsAnActionThatSharedCrawlsDoNotHave) {
  ClusterCrawl crawl({.url = "redis://127.0.0.1/museum"});
  EXPECT_EQ(crawl.state(), "connecting");
  auto world = sim::World::calm();
  const server::Response response =
      world.run(crawl.act(R"({"do": "rate", "rate": "5/s"})", WallTime()));
  EXPECT_EQ(response.status, 409);
  EXPECT_THAT(response.body, HasSubstr("pause, resume, stop, add, block and unblock"));
  const std::string state = crawl.state_json(3);
  EXPECT_THAT(state, StartsWith(R"({"crawl": 3, "state": "connecting", "cluster": null)"));
  EXPECT_THAT(state, HasSubstr(R"("do": "rate 5/s", "ok": false)"));
}

}  // namespace
}  // namespace gossamer::serve
