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
  EXPECT_EQ(read_date("2016-12-11T12:00:00-23:59"), "2016-12-12T11:59:00.000000000Z");
  EXPECT_EQ(read_date("2016-12-11T12:00:00+0130"), "2016-12-11T10:30:00.000000000Z");
  EXPECT_EQ(read_date("2016-12-11t23:58:28z"), "2016-12-11T23:58:28.000000000Z");
  EXPECT_EQ(read_date(" 2016-12-11 23:58:28\r\n"), "2016-12-11T23:58:28.000000000Z");
  EXPECT_EQ(read_date("2016-12-11T23:58:28.1234567899Z"), "2016-12-11T23:58:28.123456789Z");
  EXPECT_EQ(read_date("0000-01-01T00:00:00Z"), "0000-01-01T00:00:00.000000000Z");
  EXPECT_EQ(read_date("9999-12-31T23:59:59Z"), "9999-12-31T23:59:59.000000000Z");
}

TEST(RecordDate, IsReadFromTheDigitsOfArc) {
  EXPECT_EQ(read_date("20140216050221"), "2014-02-16T05:02:21.000000000Z");
  EXPECT_EQ(read_date("201404010000000000"), "2014-04-01T00:00:00.000000000Z");
  EXPECT_EQ(read_date("20140216"), "2014-02-16T00:00:00.000000000Z");
  EXPECT_EQ(timestamp14(*parse_record_date("2014-02-16T05:02:21.9Z")), "20140216050221");
}

TEST(RecordDate, IsNothingIfInvalid) {
  for (const std::string_view text : {"",
                                      "5088968-11-06T12:31:23Z",
                                      "2016-13-01",
                                      "2016-02-30T00:00:00Z",
                                      "2016-02-01T25:00:00Z",
                                      "2016-02-01T",
                                      "2016-02-01T10:00:00.Z",
                                      "yesterday",
                                      "2016-02-01T10:00:00Zx",
                                      "201",
                                      "2016-02-01T24:00:00Z",
                                      "2016-02-01T10:00:00+24:00",
                                      "2016-02-01T10:00:00+01:60",
                                      "2016-02-01T10:00:00+1",
                                      "2016-02-01T10:00:00+",
                                      "2016-02-01T10:60:00Z",
                                      "2016-02-01Z",
                                      "2016-2-1",
                                      "2016/02/01",
                                      "2016-02-01x10:00:00Z",
                                      "20161301",
                                      "201602010",
                                      "0000-01-01T00:00:00+01:00",
                                      "9999-12-31T23:59:60Z",
                                      "9999-12-31T23:59:59-01:00"}) {
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
  EXPECT_EQ(fields.find("four"), "a b c");
  EXPECT_EQ(fields.find("five"), "x: y");
  EXPECT_EQ(fields.find("six"), std::nullopt);
}

TEST(RecordHead, GivesAnAddressThatCanBeUsed) {
  RecordHead head;
  EXPECT_EQ(head.target_uri(), "");
  head.fields.append("WARC-Target-URI", "<http://h/a b>");
  EXPECT_EQ(head.target_uri(), "http://h/a%20b");
  for (const char* const text : {"<", ">", "<http://h/", "http://h/>"}) {
    head.fields = {};
    head.fields.append("WARC-Target-URI", text);
    EXPECT_EQ(head.target_uri(), text);
  }
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
  for (const RecordType type : {RecordType::response, RecordType::request, RecordType::revisit}) {
    for (const char* const uri : {"http://h/", "HTTPS://h/"}) {
      RecordHead web = {.type = type, .block_bytes = 1};
      web.fields.append("WARC-Target-URI", uri);
      EXPECT_TRUE(web.has_http()) << uri;
      web.block_bytes = 0;
      EXPECT_FALSE(web.has_http()) << "there is no block";
    }
  }
  RecordHead message = {.type = RecordType::response, .block_bytes = 1};
  message.fields.append("Content-Type", "message/http");
  EXPECT_TRUE(message.has_http());
}

TEST(RecordType, HasANameThatIsReadInAnyCase) {
  EXPECT_EQ(record_type_named("Response"), RecordType::response);
  EXPECT_EQ(record_type_named("WARCINFO"), RecordType::warcinfo);
  EXPECT_EQ(record_type_named("continuation"), RecordType::continuation);
  EXPECT_EQ(record_type_named("arc_header"), RecordType::unknown) << "it is not in WARC files";
  EXPECT_EQ(record_type_named(""), RecordType::unknown);
  EXPECT_EQ(name(RecordType::revisit), "revisit");
}

TEST(Fields, DropALineThatContinuesNothing) {
  Fields fields;
  fields.append_line("  continued");
  EXPECT_EQ(fields.size(), 0U);
  fields.append_line("A: b");
  fields.append_line(" c");
  EXPECT_EQ(fields.find("a"), "b c");
}

TEST(Fields, ReadAFoldAsOneSpace) {
  Fields fields;
  fields.append_line("Content-Type: text/html;\r");
  fields.append_line("\t  charset=utf-8\r");
  EXPECT_EQ(fields.find("content-type"), "text/html; charset=utf-8");
  fields.append_line("Location:");
  fields.append_line("\t/x");
  fields.append_line("\t");
  EXPECT_EQ(fields.find("location"), "/x");
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

TEST(ArcLine, NeedsAWholeDate) {
  const auto is_line = [](const std::string& date, std::string_view address = "10.0.0.1") {
    return parse_arc_line("http://h/ " + std::string(address) + " " + date + " text/html 5")
        .has_value();
  };
  EXPECT_FALSE(is_line("2014021"));
  EXPECT_TRUE(is_line("20140216"));
  EXPECT_TRUE(is_line("20140216050221000000"));
  EXPECT_FALSE(is_line("201402160502210000000"));
  EXPECT_FALSE(is_line("2014021605022x"));
  EXPECT_TRUE(is_line("20140216", "2001:db8::1"));
  EXPECT_TRUE(is_line("20140216", "[::1]"));
  EXPECT_FALSE(is_line("20140216", "10")) << "neither a dot nor a colon";
  EXPECT_FALSE(is_line("20140216", "g.0"));
}

TEST(ArcLine, ReadsAnInvalidLengthAsZero) {
  for (const char* const length : {"x", "5x", "-5", "99999999999999999999", "-"}) {
    const auto head =
        parse_arc_line("http://h/ 10.0.0.1 20140216050221 text/html " + std::string(length));
    ASSERT_TRUE(head.has_value()) << length;
    EXPECT_EQ(head->block_bytes, 0U) << length;
  }
}

TEST(ArcLine, NeedsAnAddressBeforeItsWords) {
  EXPECT_FALSE(parse_arc_line(" 10.0.0.1 20140216050221 text/html 5").has_value());
  EXPECT_FALSE(parse_arc_line("::1 20140216050221 text/html 5").has_value());
  EXPECT_FALSE(parse_arc_line("nowhere 10.0.0.1 20140216050221 text/html 5").has_value());
  EXPECT_TRUE(parse_arc_line("a: 10.0.0.1 20140216050221 text/html 5").has_value());
}

TEST(RecordHead, KeepsEmptyBrackets) {
  RecordHead head;
  head.fields.append("WARC-Target-URI", "<>");
  EXPECT_EQ(head.target_uri(), "");
}

TEST(RecordHead, IsHttpOnlyForAddressesOfTheWeb) {
  for (const char* const uri : {"httpx://h/", "http", "ftp://h/", "xhttp://h/", ""}) {
    RecordHead head = {.type = RecordType::response, .block_bytes = 1};
    head.fields.append("WARC-Target-URI", uri);
    EXPECT_FALSE(head.has_http()) << uri;
  }
  RecordHead arc = {.format = RecordFormat::arc, .type = RecordType::response, .block_bytes = 1};
  arc.fields.append("uri", "http://h/");
  arc.fields.append("archive-date", "20140216050221");
  EXPECT_TRUE(arc.has_http());
  EXPECT_EQ(arc.date()->seconds, 1'392'526'941);
}

TEST(RecordDate, TakesDigitsOnly) {
  for (const char* const text :
       {"2016-12-11T23:58:2:Z", "2016-12-11T23:58:2/Z", "201/-12-11",
        "2016-12-1:", "2016-12-11T23:58:28.12/Z", "2016-12-11T23:58:28+01",
        "2016-12-11T23:58:28+01:", "2016-12-11T23:58:28+:30", "2016-12-11T23Z", "99991231235960"}) {
    EXPECT_EQ(read_date(text), "none") << text;
  }
}

}  // namespace
}  // namespace gossamer::warc
