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
  for (const char* text : {"", "0", "-1", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994",
                           "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
                           "Sun, 06 Nov 1994 08:49:37 GMT x", "1994-11-06T08:49:37Z"}) {
    EXPECT_EQ(read_and_write(text), "(none)") << text;
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

}  // namespace
}  // namespace gossamer::wire
