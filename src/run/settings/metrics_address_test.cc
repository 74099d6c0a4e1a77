#include "settings/metrics_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::run {
namespace {

using testing::HasSubstr;

TEST(MetricsAddress, IsAPortOfThisMachineUnlessItNamesAnother) {
  EXPECT_EQ(parse_metrics_address("9100")->to_string(), "127.0.0.1:9100");
  EXPECT_EQ(parse_metrics_address("0")->to_string(), "127.0.0.1:0");
  EXPECT_EQ(parse_metrics_address("10.0.0.5:9100")->to_string(), "10.0.0.5:9100");
  EXPECT_EQ(parse_metrics_address("[::1]:9100")->to_string(), "[::1]:9100");
  for (const char* text : {"", "65536", "-1", "localhost:9100", "10.0.0.5", ":9100", "9100x"}) {
    const auto address = parse_metrics_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_THAT(address.error().detail(), HasSubstr("127.0.0.1:9100"));
  }
}

}  // namespace
}  // namespace gossamer::run
