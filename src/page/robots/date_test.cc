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

TEST(ParseDate, ReadsEveryZone) {
  for (const char* const zone : {"GMT", "utc", "UT", "Z", "+0000", "-00:00", "+00"}) {
    EXPECT_EQ(utc(std::string("05 Jan 2017 12:00 ") + zone), "2017-01-05T12:00:00.000Z") << zone;
  }
  EXPECT_EQ(utc("05 Jan 2017 12:00 EST"), "2017-01-05T17:00:00.000Z");
  EXPECT_EQ(utc("05 Jan 2017 12:00 EDT"), "2017-01-05T16:00:00.000Z");
  EXPECT_EQ(utc("05 Jan 2017 12:00 CST"), "2017-01-05T18:00:00.000Z");
  EXPECT_EQ(utc("05 Jan 2017 12:00 CDT"), "2017-01-05T17:00:00.000Z");
  EXPECT_EQ(utc("05 Jan 2017 12:00 MST"), "2017-01-05T19:00:00.000Z");
  EXPECT_EQ(utc("05 Jan 2017 12:00 MDT"), "2017-01-05T18:00:00.000Z");
  EXPECT_EQ(utc("05 Jan 2017 12:00 PDT"), "2017-01-05T19:00:00.000Z");
  EXPECT_EQ(utc("2014-06-03T10:30-01:30"), "2014-06-03T12:00:00.000Z");
  EXPECT_EQ(utc("2014-06-03T20:30+14:00"), "2014-06-03T06:30:00.000Z");
  EXPECT_EQ(utc("2014-06-03T20:30+15:00"), "none");
  EXPECT_EQ(utc("2014-06-03T20:30+01:59"), "2014-06-03T18:31:00.000Z");
  EXPECT_EQ(utc("2014-06-03T20:30+01:60"), "none");
  EXPECT_EQ(utc("2014-06-03T20:30+1"), "none");
  EXPECT_EQ(utc("2014-06-03T20:30+01:0"), "none");
  EXPECT_EQ(utc("2014-06-03T20:30 CET"), "none");
  EXPECT_EQ(utc("2014-06-03T20:30Z x"), "none");
  EXPECT_EQ(utc("05 Jan 2017 12:00 GMT x"), "none");
}

TEST(ParseDate, ReadsYearsOfTwoDigitsNear2000) {
  EXPECT_EQ(utc("5 jan 69 12:34 GMT"), "2069-01-05T12:34:00.000Z");
  EXPECT_EQ(utc("5 jan 70 12:34 GMT"), "1970-01-05T12:34:00.000Z");
  EXPECT_EQ(utc("5 jan 1969 12:34 GMT"), "1969-01-05T12:34:00.000Z");
}

TEST(ParseDate, ReadsFractionsOfSeconds) {
  EXPECT_EQ(utc("2014-06-03t10:30:45,5Z"), "2014-06-03T10:30:45.500Z");
  EXPECT_EQ(utc("2014-06-03T10:30:45.0259999999999Z"), "2014-06-03T10:30:45.025Z");
  EXPECT_EQ(utc("2014-06-03T10:30:4Z"), "none");
  EXPECT_EQ(utc("2014-06-03T10:3Z"), "none");
  EXPECT_EQ(utc("2014-06-03T10Z"), "none");
}

TEST(ParseDate, RejectsInvalidDates) {
  for (const char* text :
       {"", "soon", "2014-13-01", "2014-02-30", "2014-06-03T", "2014-06-03T25:00:00Z",
        "2014-06-03T10:61Z", "20140603", "05 Jan 17 13:34:55", "05 Foo 2017 13:34:55 GMT",
        "2014-06-03T10:30:00+99:00", "2014-06-03x", "12014-06-03", "99999999999999999999-01-01"}) {
    EXPECT_EQ(utc(text), "none") << text;
  }
}

}  // namespace
}  // namespace gossamer::robots
