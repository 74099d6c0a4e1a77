#include "report/json_report.h"

#include <gtest/gtest.h>
#include <tests/support/report_test_crawl.h>

#include <nlohmann/json.hpp>
#include <string>

namespace gossamer::report {
namespace {

using Json = nlohmann::json;

TEST(JsonReportTest, HasTheMembersOfTheManual) {
  TestCrawl crawl;
  tell_all(crawl);
  const Json json = Json::parse(to_json(crawl.finish()));
  EXPECT_EQ(json["schema"], kReportSchema);
  EXPECT_EQ(json["version"], "1.2.3");
  EXPECT_EQ(json["roots"], Json({"http://a.example/"}));
  EXPECT_EQ(json["started"], "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(json["ms"], 2000);
  EXPECT_EQ(json["end"], "finished");
  EXPECT_EQ(json["totals"]["pages"], 6);
  EXPECT_EQ(json["totals"]["by_status"]["404"], 1);
  EXPECT_EQ(json["times_ms"]["count"], 5);
  EXPECT_EQ(json["times_ms"]["max"], 1500);
  EXPECT_EQ(json["over_time"]["step_ms"], 100);
  EXPECT_EQ(json["depths"], Json({2, 4}));
  EXPECT_EQ(json["hosts"]["total"], 2);
  EXPECT_EQ(json["errors"].size(), 2u);
  EXPECT_EQ(json["broken"]["total"], 2);
  EXPECT_EQ(json["broken"]["rows"][0]["url"], "http://a.example/gone?x");
  EXPECT_EQ(json["broken"]["rows"][0]["found_on"], Json({"http://a.example/"}));
  EXPECT_EQ(json["broken"]["rows"][1]["status"], nullptr);
  EXPECT_EQ(json["redirect_chains"]["rows"][0]["urls"].size(), 2u);
  EXPECT_EQ(json["duplicates"]["rows"][0]["copies"], 1);
  EXPECT_EQ(json["slowest"][0]["ms"], 1500);
  EXPECT_EQ(json["largest"].size(), 5u);
  EXPECT_EQ(json["deepest"][0]["depth"], 1);
  EXPECT_EQ(json["orphans"]["rows"][0]["url"], "http://a.example/lonely");
  EXPECT_EQ(json["skipped"][0]["count"], 1);
  EXPECT_EQ(json["urls_forgotten"], 0);
}

TEST(JsonReportTest, SaysWhichPagesWereRendered) {
  TestCrawl crawl;
  Report report = crawl.finish();
  EXPECT_EQ(Json::parse(to_json(report))["rendered"], nullptr);
  crawler::FetchRecord record;
  record.url = "http://a.example/shop/1";
  record.needs_scripts = true;
  record.rendering = crawler::Rendering{.has_gained = true};
  report.totals.add(record);
  record.rendering = crawler::Rendering{.error = "timed_out"};
  report.totals.add(record);
  const Json json = Json::parse(to_json(report));
  EXPECT_EQ(json["totals"]["needs_scripts"], 2);
  EXPECT_EQ(json["rendered"], Json::parse(R"({"pages": 1, "gained": 1, "errors": {"timed_out": 1},
      "patterns": [{"pattern": "a.example/shop/*", "pages": 1, "gained": 1}]})"));
}

TEST(JsonReportTest, IsValidWhateverTheServersSay) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  TestCrawl crawl;
  tell_all(crawl, all);
  EXPECT_TRUE(Json::accept(to_json(crawl.finish())));
  TestCrawl nothing;
  EXPECT_TRUE(Json::accept(to_json(nothing.finish())));
}

}  // namespace
}  // namespace gossamer::report
