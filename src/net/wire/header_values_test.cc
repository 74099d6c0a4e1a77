#include <gtest/gtest.h>

#include <string>

#include "wire/http_date.h"
#include "wire/retry_after.h"
#include "wire/status_phrase.h"

namespace gossamer::wire {
namespace {

constexpr WallTime kReadAt = {.seconds = 784'111'777};  // Sun, 06 Nov 1994 08:49:37 GMT

std::string read_and_write(std::string_view text) {
  const auto date = parse_http_date(text, kReadAt);
  return date ? write_http_date(*date) : "(none)";
}

TEST(HttpDateTest, ReadsTheThreeForms) {
  constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:37 GMT";
  EXPECT_EQ(parse_http_date(kDate, kReadAt), kReadAt);
  EXPECT_EQ(read_and_write(kDate), kDate);
  EXPECT_EQ(read_and_write("Sunday, 06-Nov-94 08:49:37 GMT"), kDate);
  EXPECT_EQ(read_and_write("Sun Nov  6 08:49:37 1994"), kDate);
  EXPECT_EQ(read_and_write("Thursday, 01-Jan-70 00:00:00 GMT"), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(read_and_write("Thu, 29 Feb 2024 23:59:59 GMT"), "Thu, 29 Feb 2024 23:59:59 GMT");
}

TEST(HttpDateTest, RejectsInvalidDates) {
  for (const char* text :
       {"", "0", "-1", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 06 Nov 1994 08:49:37 GMT x", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:370 GMT",
        "Sun Nov  6 08:49:37 19940", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 006 Nov 1994 08:49:37 GMT", "Sun, 06-Nov 1994 08:49:37 GMT",
        "06 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 94", "Sun, 06 Nov 1994 08:49 GMT"}) {
    EXPECT_EQ(read_and_write(text), "(none)") << text;
  }
}

std::string cookie_date(std::string_view text) {
  const auto date = parse_cookie_date(text);
  return date ? write_http_date(*date) : "(none)";
}

// RFC 6265 section 5.1.1: the first token of each kind counts, in any order.
TEST(CookieDateTest, FindsTheFirstOfEachPart) {
  constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:37 GMT";
  for (const char* const text :
       {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "08:49:37 6 november 94", "1994 06 08:49:37 nov",
        "6;Nov<1994@08:49:37[x]{y}~", "6 Nov 1994 08:49:37 09:00:00 7 Dec 1995",
        "\t6\tNov\t1994\t8:49:37x"}) {
    EXPECT_EQ(cookie_date(text), kDate) << text;
  }
  EXPECT_EQ(cookie_date("1 Jan 00 00:00:00"), "Sat, 01 Jan 2000 00:00:00 GMT");
  EXPECT_EQ(cookie_date("1 Jan 69 00:00:00"), "Tue, 01 Jan 2069 00:00:00 GMT");
  EXPECT_EQ(cookie_date("1 Jan 70 00:00:00"), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(cookie_date("1 Jan 99 00:00:00"), "Fri, 01 Jan 1999 00:00:00 GMT");
  EXPECT_EQ(cookie_date("1 Jan 1601 00:00:00"), "Mon, 01 Jan 1601 00:00:00 GMT");
  EXPECT_EQ(cookie_date("1 Jan 2000 23:59:59"), "Sat, 01 Jan 2000 23:59:59 GMT");
  EXPECT_EQ(cookie_date("0:0:0 1:1:1 1 Jan 2000"), "Sat, 01 Jan 2000 00:00:00 GMT");
}

TEST(CookieDateTest, RejectsInvalidDates) {
  for (const char* const text :
       {"", "1 Jan 2000", "Jan 2000 00:00:00", "1 2000 00:00:00", "1 Jan 00:00:00",
        "1 Jan 1600 00:00:00", "1 Jan 100 00:00:00", "1 Jan 2000 24:00:00", "1 Jan 2000 00:60:00",
        "1 Jan 2000 00:00:60", "31 Feb 2000 00:00:00", "0 Jan 2000 00:00:00",
        "0 1 Jan 2000 00:00:00", "32 Jan 2000 00:00:00", "1 Jan 20000 00:00:00", "1 Jan 2 00:00:00",
        "1 Jan 2000 00:00:000", "1 Ja 2000 00:00:00"}) {
    EXPECT_EQ(cookie_date(text), "(none)") << text;
  }
}

TEST(StatusPhraseTest, KnowsTheUsualStatuses) {
  EXPECT_EQ(status_phrase(404), "Not Found");
  EXPECT_EQ(status_phrase(299), "");
}

TEST(RetryAfterTest, ReadsSecondsAndDates) {
  EXPECT_EQ(parse_retry_after("120", kReadAt), 120s);
  EXPECT_EQ(parse_retry_after("0", kReadAt), 0s);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:50:37 GMT", kReadAt), 60s);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:00:00 GMT", kReadAt), 0s);
  EXPECT_GT(parse_retry_after("99999999999999999999999", kReadAt), 24h * 365);
  EXPECT_FALSE(parse_retry_after("soon", kReadAt));
  EXPECT_FALSE(parse_retry_after("-5", kReadAt));
  EXPECT_FALSE(parse_retry_after("", kReadAt));
}

// RFC 9110 section 5.6.7: a year of two digits is at most 50 years in the future.
TEST(HttpDateTest, PutsTwoDigitsIntoTheRightCentury) {
  const WallTime now = {.seconds = 1'700'000'000};  // 2023
  const auto year = [&](std::string_view digits) {
    const auto date =
        parse_http_date("Sunday, 06-Nov-" + std::string(digits) + " 08:49:37 GMT", now);
    return date ? write_http_date(*date).substr(12, 4) : "(none)";
  };
  EXPECT_EQ(year("23"), "2023");
  EXPECT_EQ(year("73"), "2073");
  EXPECT_EQ(year("74"), "1974");
  EXPECT_EQ(year("99"), "1999");
  EXPECT_EQ(year("00"), "2000");
  EXPECT_EQ(year("1994"), "1994");
}

TEST(HttpDateTest, TakesOneDigitWhereTwoAreUsual) {
  constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:07 GMT";
  EXPECT_EQ(read_and_write("Sun, 6 Nov 1994 8:49:7 GMT"), kDate);
  EXPECT_EQ(read_and_write("  Sun Nov 6 08:49:07 1994 "), kDate);
  EXPECT_EQ(read_and_write("Sun, 06 Nov 1994 23:59:59 GMT"), "Sun, 06 Nov 1994 23:59:59 GMT");
}

// RFC 6265 section 5.1.1: delimiters are these and no other bytes.
TEST(CookieDateTest, IsDividedByEveryDelimiter) {
  for (int c = 1; c < 256; ++c) {
    const std::string text = std::string("6") + static_cast<char>(c) + "Nov 1994 08:49:37";
    const bool is_delimiter = c == 0x09 || (c >= 0x20 && c <= 0x2F) || (c >= 0x3B && c <= 0x40) ||
                              (c >= 0x5B && c <= 0x60) || (c >= 0x7B && c <= 0x7E);
    if (c >= '0' && c <= '9') continue;
    EXPECT_EQ(cookie_date(text) != "(none)", is_delimiter) << c;
  }
}

TEST(CookieDateTest, TakesYearsOfTwoToFourDigits) {
  EXPECT_EQ(cookie_date("1 Jan 1602 00:00:00"), "Tue, 01 Jan 1602 00:00:00 GMT");
  EXPECT_EQ(cookie_date("1 Jan 601 00:00:00"), "(none)");
  EXPECT_EQ(cookie_date("99 1 Jan 00:00:00"), "(none)") << "99 is the day";
  EXPECT_EQ(cookie_date("31 Jan 2000 00:00:00 1 2 3"), "Mon, 31 Jan 2000 00:00:00 GMT");
}

TEST(RetryAfterTest, IsAtMostACentury) {
  constexpr auto kCentury = 24h * 365 * 100;
  EXPECT_EQ(parse_retry_after(" 3153600000 ", kReadAt), kCentury);
  EXPECT_EQ(parse_retry_after("3153600001", kReadAt), kCentury);
  EXPECT_EQ(parse_retry_after("99999999999999999999999", kReadAt), kCentury);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", kReadAt), kCentury);
}

}  // namespace
}  // namespace gossamer::wire
