#include <gtest/gtest.h>

#include <string>

#include "wire/http_date.h"
#include "wire/link_header.h"
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

TEST(ContentRangeTest, ReadsRangesOfBytes) {
  EXPECT_EQ(parse_content_range("bytes 0-499/1234"),
            (ContentRange{.first = 0, .last = 499, .whole_bytes = 1234}));
  EXPECT_EQ(parse_content_range("bytes 5-5/*"), (ContentRange{.first = 5, .last = 5}));
  EXPECT_EQ(parse_content_range("bytes */1234"), (ContentRange{.whole_bytes = 1234}));
  for (const char* text : {"", "bytes", "bytes 5-4/10", "bytes 0-10/10", "bytes */*", "lines 0-1/2",
                           "bytes 0-/5", "bytes a-b/c", "bytes 0-1"}) {
    EXPECT_FALSE(parse_content_range(text)) << text;
  }
}

TEST(LinkHeaderTest, ReadsLinksAndTheirRelations) {
  const auto links = parse_link_header(
      "</a,b>; rel=\"next Start\"; title=\"x, y; z\", <https://c.example/>;rel=canonical , <d> , "
      "<e>; type=text/html; hreflang=de; hreflang=en; rel=alternate; rel=stylesheet; "
      "anchor=\"#foo\"");
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(links[0].target, "/a,b");
  EXPECT_TRUE(links[0].has_rel("next"));
  EXPECT_TRUE(links[0].has_rel("start"));
  EXPECT_EQ(links[1].target, "https://c.example/");
  EXPECT_TRUE(links[1].has_rel("canonical"));
  EXPECT_TRUE(links[2].rels.empty());
  EXPECT_EQ(links[3].type, "text/html");
  EXPECT_EQ(links[3].hreflang, "de");
  EXPECT_EQ(links[3].anchor, "#foo");
  EXPECT_FALSE(links[3].has_rel("stylesheet"));
}

TEST(LinkHeaderTest, SurvivesNonsense) {
  for (const char* text : {"", "<", "<a", "a>b", "<a>;", "<a>;;;", "<a>; rel=\"", "<a>; =x", ",,,",
                           "<a>; rel", "<a>; rel=\"b\\"}) {
    EXPECT_LE(parse_link_header(text).size(), 1U) << text;
  }
}

}  // namespace
}  // namespace gossamer::wire
