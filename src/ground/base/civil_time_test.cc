#include "base/civil_time.h"

#include <gtest/gtest.h>

namespace gossamer::base {
namespace {

TEST(CivilTimeTest, IsAMomentIfThereIsSuchADayAndTime) {
  EXPECT_EQ(to_wall_time({.year = 1970}), WallTime());
  EXPECT_EQ(to_rfc3339(*to_wall_time({2024, 2, 29, 23, 59, 60})), "2024-03-01T00:00:00Z");
  EXPECT_EQ(to_rfc3339(*to_wall_time({2024, 12, 31, 24, 0, 0})), "2025-01-01T00:00:00Z");
  EXPECT_EQ(to_rfc3339(*to_wall_time({1, 1, 1, 0, 0, 0})), "0001-01-01T00:00:00Z");
  for (const CivilTime& none :
       {CivilTime{2023, 2, 29}, CivilTime{2023, 0, 1}, CivilTime{2023, 13}, CivilTime{2023, 1, 0},
        CivilTime{2023, 1, 1, 25}, CivilTime{2023, 1, 1, -1}, CivilTime{2023, 1, 1, 0, 60},
        CivilTime{2023, 1, 1, 0, 0, 61}}) {
    EXPECT_EQ(to_wall_time(none), std::nullopt);
  }
}

TEST(CivilTimeTest, KnowsMonthsByThreeLetters) {
  for (int month = 1; month <= 12; ++month) EXPECT_EQ(month_of(month_name(month)), month);
  EXPECT_EQ(month_of("january"), 1);
  EXPECT_EQ(month_of("DECX"), 12);
  for (const std::string_view none : {"", "j", "ja", "anf", "x"}) EXPECT_EQ(month_of(none), 0);
}

TEST(DateCursorTest, TakesWhatIsThere) {
  DateCursor cursor("Sun, 06-nov GMT1");
  EXPECT_EQ(cursor.take_word(), "Sun");
  EXPECT_FALSE(cursor.take(' '));
  cursor.skip_any_of(", ");
  int number = -1;
  EXPECT_FALSE(DateCursor("6-").take_number(2, 4, number));
  EXPECT_EQ(number, -1);
  EXPECT_TRUE(cursor.take_number(1, 2, number));
  EXPECT_EQ(number, 6);
  EXPECT_TRUE(cursor.take('-'));
  EXPECT_TRUE(cursor.take_month(number));
  EXPECT_EQ(number, 11);
  EXPECT_FALSE(cursor.take("GMT"));
  EXPECT_TRUE(cursor.take(" GMT"));
  EXPECT_EQ(cursor.take_digits(), "1");
  EXPECT_TRUE(cursor.at_end());
}

}  // namespace
}  // namespace gossamer::base
