#include "warc/record.h"

#include <gtest/gtest.h>

#include "warc/arc_head.h"

namespace gossamer::warc {
namespace {

std::string read_date(std::string_view text) {
  const auto time = parse_record_date(text);
  return time ? base::to_rfc3339(*time, base::SecondDigits::nano) : "none";
}

TEST(RecordDate, IsReadWithAnyPrecision) {
  EXPECT_EQ(read_date("2016-12-11T23:58:28Z"), "2016-12-11T23:58:28.000000000Z");
  EXPECT_EQ(read_date("2016-12-11T23:58:28.123456789Z"), "2016-12-11T23:58:28.123456789Z");
  EXPECT_EQ(read_date("2016-12-11T23:58:28.5Z"), "2016-12-11T23:58:28.500000000Z");
  EXPECT_EQ(read_date("2016-12-11T23:58Z"), "2016-12-11T23:58:00.000000000Z");
  EXPECT_EQ(read_date("2016-12-11"), "2016-12-11T00:00:00.000000000Z");
  EXPECT_EQ(read_date("2016-12"), "2016-12-01T00:00:00.000000000Z");
  EXPECT_EQ(read_date("2016"), "2016-01-01T00:00:00.000000000Z");
  EXPECT_EQ(read_date("2016-12-11T23:58:28+01:30"), "2016-12-11T22:28:28.000000000Z");
}

TEST(RecordDate, IsReadFromTheDigitsOfArc) {
  EXPECT_EQ(read_date("20140216050221"), "2014-02-16T05:02:21.000000000Z");
  EXPECT_EQ(read_date("201404010000000000"), "2014-04-01T00:00:00.000000000Z");
  EXPECT_EQ(read_date("20140216"), "2014-02-16T00:00:00.000000000Z");
  EXPECT_EQ(timestamp14(*parse_record_date("2014-02-16T05:02:21.9Z")), "20140216050221");
}

TEST(RecordDate, IsNothingIfInvalid) {
  for (const std::string_view text :
       {"", "5088968-11-06T12:31:23Z", "2016-13-01", "2016-02-30T00:00:00Z", "2016-02-01T25:00:00Z",
        "2016-02-01T", "2016-02-01T10:00:00.Z", "yesterday", "2016-02-01T10:00:00Zx", "201",
        "0000-01-01T00:00:00+01:00", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59-01:00"}) {
    EXPECT_EQ(read_date(text), "none") << text;
  }
}

TEST(Fields, AreReadAsAnybodyWritesThem) {
  Fields fields;
  for (const std::string_view line :
       {"One: 1\r", "two :2", "Three:", "no field", "  of which this is part", "Four: a", "\tb",
        "  c  ", "five: x: y"}) {
    fields.append_line(line);
  }
  ASSERT_EQ(fields.size(), 5U);
  EXPECT_EQ(fields.find("ONE"), "1");
  EXPECT_EQ(fields.find("Two"), "2");
  EXPECT_EQ(fields.find("Three"), "");
  EXPECT_EQ(fields.find("four"), "a\tb  c");
  EXPECT_EQ(fields.find("five"), "x: y");
  EXPECT_EQ(fields.find("six"), std::nullopt);
}

TEST(RecordHead, GivesAnAddressThatCanBeUsed) {
  RecordHead head;
  EXPECT_EQ(head.target_uri(), "");
  head.fields.append("WARC-Target-URI", "<http://h/a b>");
  EXPECT_EQ(head.target_uri(), "http://h/a%20b");
}

TEST(RecordHead, KnowsWhetherItsBlockIsHttp) {
  RecordHead head = {.type = RecordType::response, .block_bytes = 1};
  head.fields.append("WARC-Target-URI", "dns:h");
  head.fields.append("Content-Type", "text/dns");
  EXPECT_FALSE(head.has_http());
  head.fields = {};
  head.fields.append("Content-Type", "application/HTTP; msgtype=response");
  EXPECT_TRUE(head.has_http());
  head.type = RecordType::resource;
  EXPECT_FALSE(head.has_http());
}

TEST(ArcLine, IsReadInVersionOne) {
  const auto head = parse_arc_line("http://h/a b 10.0.0.1 20140216050221 text/html 1591\r\n");
  ASSERT_TRUE(head.has_value());
  EXPECT_EQ(head->version, "ARC/1");
  EXPECT_EQ(head->target_uri(), "http://h/a%20b");
  EXPECT_EQ(head->block_bytes, 1591U);
  EXPECT_EQ(head->type, RecordType::response);
}

TEST(ArcLine, IsReadInVersionTwo) {
  const auto head = parse_arc_line(
      "http://h/ 10.0.0.1 19961104142103 text/html 200 fac069150613fe55599cc7fa88aa089d - 209 "
      "IA-001102.arc 202");
  ASSERT_TRUE(head.has_value());
  EXPECT_EQ(head->version, "ARC/2");
  EXPECT_EQ(head->fields.find("result-code"), "200");
  EXPECT_EQ(head->fields.find("filename"), "IA-001102.arc");
  EXPECT_EQ(head->block_bytes, 202U);
}

TEST(ArcLine, DiffersFromOtherLines) {
  for (const std::string_view line :
       {"", "HTTP/1.1 200 OK", "a b c d e", "http://h/ text/html 20140216050221 10.0.0.1 5",
        "10.0.0.1 20140216050221 text/html 5", "<p>see 1.2.3.4 20140216050221 text/html 5"}) {
    EXPECT_FALSE(parse_arc_line(line).has_value()) << line;
  }
}

}  // namespace
}  // namespace gossamer::warc
