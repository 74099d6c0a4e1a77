#include "robots/date.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::robots {
namespace {

std::string utc(std::string_view text) {
  const auto date = parse_date(text);
  return date ? to_rfc3339(*date, base::SecondDigits::milli) : "none";
}

TEST(ParseDate, ReadsTheFormsOfW3c) {
  EXPECT_EQ(utc("2014"), "2014-01-01T00:00:00.000Z");
  EXPECT_EQ(utc("2014-06"), "2014-06-01T00:00:00.000Z");
  EXPECT_EQ(utc(" 2014-06-03\n"), "2014-06-03T00:00:00.000Z");
  EXPECT_EQ(utc("2014-06-03T10:30Z"), "2014-06-03T10:30:00.000Z");
  EXPECT_EQ(utc("2014-06-03T10:30:45.825+01:30"), "2014-06-03T09:00:45.825Z");
  EXPECT_EQ(utc("2014-06-03 10:30:45"), "2014-06-03T10:30:45.000Z");
}

TEST(ParseDate, ReadsTheFormsOfMailAndHttp) {
  EXPECT_EQ(utc("Thu, 05 Jan 2017 13:34:51 +0100"), "2017-01-05T12:34:51.000Z");
  EXPECT_EQ(utc("5 jan 99 12:34 GMT"), "1999-01-05T12:34:00.000Z");
  EXPECT_EQ(utc("Friday, 25-Jun-10 15:00:00 PST"), "2010-06-25T23:00:00.000Z");
}

TEST(ParseDate, RejectsInvalidDates) {
  for (const char* text :
       {"", "soon", "2014-13-01", "2014-02-30", "2014-06-03T", "2014-06-03T25:00:00Z",
        "2014-06-03T10:61Z", "20140603", "05 Jan 17 13:34:55", "05 Foo 2017 13:34:55 GMT",
        "2014-06-03T10:30:00+99:00", "2014-06-03x", "99999999999999999999-01-01"}) {
    EXPECT_EQ(utc(text), "none") << text;
  }
}

}  // namespace
}  // namespace gossamer::robots
