#include "report/phrases.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace gossamer::report {
namespace {

TEST(PhrasesTest, SayEveryReasonInItsOwnWords) {
  std::set<std::string_view> texts;
  for (std::size_t i = 0; i < crawl::kSkipReasons; ++i) {
    const auto text = describe(static_cast<crawl::SkipReason>(i));
    EXPECT_FALSE(text.empty()) << i;
    EXPECT_TRUE(texts.insert(text).second) << text;
  }
  for (int i = 0; i <= static_cast<int>(crawl::EndReason::sink_failed); ++i) {
    EXPECT_FALSE(name(static_cast<crawl::EndReason>(i)).empty()) << i;
    EXPECT_FALSE(describe(static_cast<crawl::EndReason>(i)).empty()) << i;
  }
}

TEST(PhrasesTest, KnowTheUsualStatuses) {
  EXPECT_EQ(status_phrase(404), "Not Found");
  EXPECT_EQ(status_phrase(299), "");
}

TEST(PhrasesTest, WriteNumbersForPeople) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(counted(1, "page"), "1 page");
  EXPECT_EQ(counted(1200, "page"), "1,200 pages");
  EXPECT_EQ(byte_count(999), "999 B");
  EXPECT_EQ(byte_count(14'200'000), "14.2 MB");
}

TEST(PhrasesTest, WriteTimesWithThreeDigits) {
  EXPECT_EQ(short_time(0s), "0 s");
  EXPECT_EQ(short_time(850us), "850 us");
  EXPECT_EQ(short_time(12'345us), "12.3 ms");
  EXPECT_EQ(short_time(999'900us), "1 s");
  EXPECT_EQ(short_time(1'250ms), "1.25 s");
  EXPECT_EQ(short_time(100ms), "100 ms");
  EXPECT_EQ(short_time(125s), "2 min 5 s");
}

}  // namespace
}  // namespace gossamer::report
