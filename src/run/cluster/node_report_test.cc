#include "cluster/node_report.h"

#include <gtest/gtest.h>

namespace gossamer::cluster {
namespace {

TEST(NodeReportTest, IsReadAsItWasWritten) {
  const NodeReport report = {.pages = 12,
                             .bytes = 3'000'000'000'000,
                             .errors = 1,
                             .queued = 40,
                             .in_flight = 8,
                             .hosts = 3,
                             .pages_per_second = 2.5};
  const auto read = parse_node_report(to_json(report));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, report);
}

TEST(NodeReportTest, WhatIsMissingOrNoNumberIsZero) {
  const auto read = parse_node_report(R"({"pages": "many", "hosts": 2, "pages_per_second": null})");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, NodeReport{.hosts = 2});
}

TEST(NodeReportTest, OtherTextFails) {
  for (const std::string_view text : {"", "[]", "3", "{", "pages"}) {
    EXPECT_FALSE(parse_node_report(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace gossamer::cluster
