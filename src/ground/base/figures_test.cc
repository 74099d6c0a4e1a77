#include "base/figures.h"

#include <gtest/gtest.h>

namespace gossamer::base {
namespace {

TEST(FiguresTest, WriteNumbersForPeople) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(counted(1, "page"), "1 page");
  EXPECT_EQ(counted(1200, "page"), "1,200 pages");
  EXPECT_EQ(byte_count(999), "999 B");
  EXPECT_EQ(byte_count(14'200'000), "14.2 MB");
}

TEST(FiguresTest, WriteTimesWithThreeDigits) {
  EXPECT_EQ(short_time(0s), "0 s");
  EXPECT_EQ(short_time(850us), "850 us");
  EXPECT_EQ(short_time(12'345us), "12.3 ms");
  EXPECT_EQ(short_time(999'900us), "1 s");
  EXPECT_EQ(short_time(1'250ms), "1.25 s");
  EXPECT_EQ(short_time(100ms), "100 ms");
  EXPECT_EQ(short_time(125s), "2 min 5 s");
}

}  // namespace
}  // namespace gossamer::base
