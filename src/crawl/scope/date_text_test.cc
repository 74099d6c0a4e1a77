#include "scope/date_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gossamer::crawler {
namespace {

void expect_date(std::string_view text, std::int32_t year, bool certain) {
  const auto date = read_date(text);
  ASSERT_TRUE(date.has_value()) << text;
  EXPECT_EQ(date->year, year) << text;
  EXPECT_EQ(date->certain, certain) << text;
}

TEST(DateText, ReadsDays) {
  for (const std::string_view text :
       {"2024-05-06", "2024-5-6", "2024_05_06", "2024.05.06", "2024/5/6", "06-05-2024", "6.5.2024",
        "05/16/2024", "5%2F6%2F2024", "2024%2f05%2f06", "2024-05-06.html", "2024-05-06T10:20:30Z",
        "2024-05-06%2010:20", "2024-05-06+10:20", "2024-12-31", "31.12.2024"}) {
    expect_date(text, 2024, true);
  }
  expect_date("9999-01-01", 9999, true);
}

TEST(DateText, ReadsMonthsAndWeeks) {
  expect_date("2024-05", 2024, false);
  expect_date("05-2024", 2024, false);
  expect_date("2024-05.html", 2024, false);
  expect_date("2024-W18", 2024, true);
  expect_date("2024-w01", 2024, true);
}

TEST(DateText, ReadsEightDigits) {
  expect_date("20240506", 2024, false);
  expect_date("20240506.html", 2024, false);
  expect_date("20240506T101112Z", 2024, false);
}

TEST(DateText, IgnoresOtherText) {
  for (const std::string_view text : {"",
                                      "a",
                                      "2024",
                                      "2024-",
                                      "2024-a",
                                      "2024-13",
                                      "2024-00",
                                      "2024-5",
                                      "2024-05-",
                                      "2024-05-32",
                                      "2024-13-01",
                                      "2024-05-06-a-title",
                                      "2024-05-06x",

                                      "2024.05",
                                      "1.2.3",
                                      "10.0.0.1",
                                      "12-12-12",
                                      "2024-2025",
                                      "20241301",
                                      "20240532",
                                      "202405",
                                      "123456789",
                                      "2024-W54",
                                      "2024-W1",
                                      "2024-W18x",
                                      "-2024-05-06",
                                      "2024--05-06",
                                      "20240506123"}) {
    EXPECT_FALSE(read_date(text).has_value()) << text;
  }
}

TEST(DateText, KnowsItsParts) {
  EXPECT_TRUE(is_year("2024"));
  EXPECT_FALSE(is_year("0999"));
  EXPECT_FALSE(is_year("20245"));
  EXPECT_FALSE(is_year("202a"));
  for (const std::string_view text :
       {"1", "01", "12", "12.html", "may", "Sept", "DECEMBER", "Jan.htm"}) {
    EXPECT_TRUE(is_month(text)) << text;
  }
  for (const std::string_view text : {"", "0", "13", "001", "ma", "maybe", "junes", ".html"}) {
    EXPECT_FALSE(is_month(text)) << text;
  }
  for (const std::string_view text : {"1", "01", "31", "31.html"})
    EXPECT_TRUE(is_day(text)) << text;
  for (const std::string_view text : {"", "0", "32", "001", "1st"})
    EXPECT_FALSE(is_day(text)) << text;
}

TEST(DateText, ReadsNumbersOfNineDigits) {
  EXPECT_EQ(read_number("0"), 0);
  EXPECT_EQ(read_number("999999999"), 999'999'999);
  EXPECT_EQ(read_number("1000000000"), std::nullopt);
  EXPECT_EQ(read_number(""), std::nullopt);
  EXPECT_EQ(read_number("-1"), std::nullopt);
  EXPECT_EQ(read_number("1a"), std::nullopt);
}

TEST(DateText, IsOfTheCalendar) {
  const auto is_date = [](const std::string& text) { return read_date(text).has_value(); };
  for (int first = 0; first < 100; ++first) {
    const bool is_month = first >= 1 && first <= 12;
    EXPECT_EQ(is_date(fmt::format("2024-{:02}", first)), is_month) << first;
    EXPECT_EQ(is_date(fmt::format("{:02}-2024", first)), is_month) << first;
    EXPECT_EQ(is_date(fmt::format("2024-W{:02}", first)), first >= 1 && first <= 53) << first;
    for (int second = 0; second < 100; ++second) {
      const bool is_day = second >= 1 && second <= 31;
      const bool is_other_way = second >= 1 && second <= 12 && first >= 1 && first <= 31;
      const std::string text = fmt::format("{:02}-{:02}", first, second);
      EXPECT_EQ(is_date("2024-" + text), is_month && is_day) << text;
      EXPECT_EQ(is_date(text + "-2024"), (is_month && is_day) || is_other_way) << text;
      EXPECT_EQ(is_date(fmt::format("2024{:02}{:02}", first, second)), is_month && is_day) << text;
      EXPECT_FALSE(is_date(text)) << text;
    }
  }
}

TEST(DateText, HasAYearOfFourDigitsAndOthersOfTwo) {
  for (const std::string_view text :
       {"2024-005-06", "2024-05-006", "024-05-06", "02024-05-06", "5-2024", "005-2024", "05-02024",
        "5-6", "2024-W005", "2024-x18", "2024xw18", "2024-05-06x.html"}) {
    EXPECT_FALSE(read_date(text).has_value()) << text;
  }
}

TEST(DateText, KnowsNamesOfMonthsWithAnExtension) {
  EXPECT_TRUE(is_month_name("may"));
  EXPECT_TRUE(is_month_name("may.html"));
  EXPECT_FALSE(is_month_name("may-html"));
  EXPECT_FALSE(is_month_name("05"));
}

}  // namespace
}  // namespace gossamer::crawler
