#include "scope/calendar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gossamer::crawler {
namespace {

struct Marked {
  DateVerdict verdict;
  std::string dates;  // the values of the parts that are dates, each followed by a blank
};

Marked mark(std::string_view text) {
  const url::Url url = url::Url::parse(text).value();
  UrlParts parts(url);
  Marked marked{.verdict = mark_dates(parts, TrapOptions{}, 2026), .dates = {}};
  for (const UrlPart& part : parts.all()) {
    if (part.role == PartRole::date) marked.dates.append(part.value).append(" ");
  }
  return marked;
}

void expect(std::string_view url, DateVerdict verdict, std::string_view dates) {
  const Marked marked = mark(url);
  EXPECT_EQ(marked.verdict, verdict) << url;
  EXPECT_EQ(marked.dates, dates) << url;
}

TEST(Calendar, FindsADateAtTheEndOfAPath) {
  expect("http://h/a/2024/05/06", DateVerdict::near, "2024 05 06 ");
  expect("http://h/a/2024/05/06.html", DateVerdict::near, "2024 05 06.html ");
  expect("http://h/a/2024/may/", DateVerdict::near, "2024 may ");
  expect("http://h/2024/05", DateVerdict::near, "2024 05 ");
  expect("http://h/a/2024-05-06/", DateVerdict::near, "2024-05-06 ");
  expect("http://h/a/20240506", DateVerdict::near, "20240506 ");
}

TEST(Calendar, IgnoresDatesOfArticles) {
  expect("http://h/2024/05/06/title", DateVerdict::none, "");
  expect("http://h/1851/09/18/title", DateVerdict::none, "");
  expect("http://h/2024-05-06-title", DateVerdict::none, "");
  expect("http://h/2024/title", DateVerdict::none, "");
  expect("http://h/2024", DateVerdict::none, "");
  expect("http://h/", DateVerdict::none, "");
}

TEST(Calendar, FindsDatesInTheQuery) {
  expect("http://h/?date=2024-05-06&x=1", DateVerdict::near, "2024-05-06 ");
  expect("http://h/?from=2024-05-06&to=2024-06-07", DateVerdict::near, "2024-05-06 2024-06-07 ");
  expect("http://h/?Year=2024&Month=5&Day=6", DateVerdict::near, "2024 5 6 ");
  expect("http://h/?year=2024&month=may", DateVerdict::near, "2024 may ");
  expect("http://h/?y=2024&m=5&v=1", DateVerdict::near, "2024 5 ");
  expect("http://h/?year=2024", DateVerdict::near, "2024 ");
  expect("http://h/?y=2024", DateVerdict::none, "");
  expect("http://h/?year=24&month=5", DateVerdict::none, "");
  expect("http://h/?x=1024&y=2024&m=5", DateVerdict::none, "");
}

TEST(Calendar, RecognisesDistantDates) {
  expect("http://h/2029/01/01", DateVerdict::far_away, "2029 01 01 ");
  expect("http://h/1899/12/31", DateVerdict::far_away, "1899 12 31 ");
  expect("http://h/2028/12/31", DateVerdict::near, "2028 12 31 ");
  expect("http://h/1900/01/01", DateVerdict::near, "1900 01 01 ");
  expect("http://h/?year=1066", DateVerdict::near, "1066 ");
  expect("http://h/?year=2046", DateVerdict::near, "2046 ");
  expect("http://h/?year=2047", DateVerdict::far_away, "2047 ");
  expect("http://h/?from=2024-05-06&to=2124-05-06", DateVerdict::far_away,
         "2024-05-06 2124-05-06 ");
}

TEST(Calendar, TreatsDistantNumbersAsDatesOnlyWithAKeyword) {
  expect("http://h/forum/3100/12", DateVerdict::none, "");
  expect("http://h/parts/1756-12", DateVerdict::none, "");
  expect("http://h/?part=1756-12", DateVerdict::none, "");
  expect("http://h/candidates/3100/12", DateVerdict::none, "");
  expect("http://h/calendar/3100/12", DateVerdict::far_away, "3100 12 ");
  expect("http://h/my_kalender.php?p=3100-12", DateVerdict::far_away, "3100-12 ");
  expect("http://h/?month=3100-12", DateVerdict::far_away, "3100-12 ");
}

TEST(Calendar, AKeywordIsAWholeWord) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (const char c : kLetters) {
    expect(fmt::format("http://h/{}cal/3100/12", c), DateVerdict::none, "");
  }
  for (const char c : std::string_view("-_.~+,")) {
    expect(fmt::format("http://h/{}cal/3100/12", c), DateVerdict::far_away, "3100 12 ");
  }
}

TEST(Calendar, IsRecognisedByADateOrAWord) {
  const auto is_calendar = [](std::string_view url) {
    return is_of_calendar(url::Url::parse(url).value(), TrapOptions{}, 2026);
  };
  EXPECT_TRUE(is_calendar("http://h/events?y=2026&m=5"));
  EXPECT_TRUE(is_calendar("http://h/events?y=9026&m=5"));
  EXPECT_TRUE(is_calendar("http://h/2026/05/06"));
  EXPECT_TRUE(is_calendar("http://h/calendar?offset=7"));
  EXPECT_TRUE(is_calendar("http://h/list?month=7"));
  EXPECT_FALSE(is_calendar("http://h/station/7"));
  EXPECT_FALSE(is_calendar("http://h/list?page=7"));
}

TEST(Calendar, AYearAloneNeedsANameOfTwoLetters) {
  expect("http://h/?yr=2024", DateVerdict::near, "2024 ");
  expect("http://h/?y=2024", DateVerdict::none, "");
}

}  // namespace
}  // namespace gossamer::crawler
