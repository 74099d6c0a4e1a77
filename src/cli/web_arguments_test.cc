#include "cli/web_arguments.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace gossamer::cli {
namespace {

TEST(TakerOfSizeTest, TakesBytesWithOrWithoutAUnit) {
  std::uint64_t size = 0;
  EXPECT_EQ(taker_of_size(size)("500"), "");
  EXPECT_EQ(size, 500u);
  EXPECT_EQ(taker_of_size(size)("64K"), "");
  EXPECT_EQ(size, 64u * 1024);
  EXPECT_EQ(taker_of_size(size)("10m"), "");
  EXPECT_EQ(size, 10u << 20);
  EXPECT_EQ(taker_of_size(size)("2G"), "");
  EXPECT_EQ(size, std::uint64_t{2} << 30);
}

TEST(TakerOfSizeTest, RefusesTheRest) {
  std::uint64_t size = 7;
  for (const char* text :
       {"", "K", "5X", "-5", "1.5M", "5KB", " 5", "99999999999999999999", "9999999999G"}) {
    EXPECT_NE(taker_of_size(size)(text), "") << text;
  }
  EXPECT_EQ(size, 7u);
}

TEST(TakerOfDurationTest, TakesABareNumberForSeconds) {
  Duration time = {};
  EXPECT_EQ(taker_of_duration(time)("10"), "");
  EXPECT_EQ(time, 10s);
  EXPECT_EQ(taker_of_duration(time)("250ms"), "");
  EXPECT_EQ(time, 250ms);
  EXPECT_NE(taker_of_duration(time)("soon"), "");
  EXPECT_NE(taker_of_duration(time)(""), "");
}

}  // namespace
}  // namespace gossamer::cli
