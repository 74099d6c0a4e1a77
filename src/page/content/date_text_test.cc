#include "content/date_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::content {
namespace {

std::vector<std::string> days_in(std::string_view text,
                                 NumberOrder order = NumberOrder::month_first) {
  std::vector<std::string> days;
  for (DateInText& date : dates_in(text, order)) days.push_back(std::move(date.day));
  return days;
}

TEST(DateText, HasFormsThatPeopleWrite) {
  for (const std::string_view text :
       {"May 6, 2024", "Published on May 6th, 2024 at 9:05", "6 May 2024", "6th of May, 2024",
        "Mon, 6 May 2024 10:00:00 GMT", "2024 May 6", "6. Mai 2024", "6 mai 2024",
        "6 de mayo de 2024", "2024-05-06", "2024-05-06T23:59:00Z", "2024/5/6", "2024.05.06",
        "05/06/2024", "06.05.2024", "May\u00A06, 2024", "Sept 3 - May 6, 2024"}) {
    EXPECT_EQ(days_in(text), std::vector<std::string>{"2024-05-06"}) << text;
  }
  EXPECT_EQ(days_in("4. M\u00E4rz 2023, 24 d\u00E9cembre 2025"),
            (std::vector<std::string>{"2023-03-04", "2025-12-24"}));
}

TEST(DateText, ReadsNumbersInTheOrderOfTheLanguage) {
  EXPECT_EQ(days_in("03/04/2024"), std::vector<std::string>{"2024-03-04"});
  EXPECT_EQ(days_in("03/04/2024", NumberOrder::day_first), std::vector<std::string>{"2024-04-03"});
  EXPECT_EQ(days_in("23/04/2024"), std::vector<std::string>{"2024-04-23"});
  EXPECT_EQ(days_in("04/23/2024", NumberOrder::day_first), std::vector<std::string>{"2024-04-23"});
}

TEST(DateText, IsNoOtherNumber) {
  for (const std::string_view text :
       {"", "2024", "May 2024", "5 of 10 in 2024", "13/13/2024", "1.2.3", "May 6, 1820",
        "192.168.20.2024", "10-20-30", "2024-00-06", "2024-02-31", "may be 6 of 2024"}) {
    EXPECT_EQ(days_in(text), std::vector<std::string>()) << text;
  }
}

TEST(DateText, KeepsDatesOfIso8601) {
  EXPECT_EQ(iso_date(" 2024-05-06T07:08:09Z "), "2024-05-06T07:08:09Z");
  EXPECT_EQ(iso_date("Mon, 05/06/2024 - 11:38"), "2024-05-06");
  EXPECT_EQ(iso_date("yesterday"), "");
}

}  // namespace
}  // namespace gossamer::content
