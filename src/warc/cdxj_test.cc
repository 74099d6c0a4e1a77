#include "warc/cdxj.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/cdxj_line.h"

namespace gossamer::warc {
namespace {

CdxjEntry entry() {
  return {.key = "com,example)/",
          .timestamp = "20170306040206",
          .url = "http://example.com/",
          .mime = "text/html",
          .status = "200",
          .digest = "sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK",
          .length = 1228,
          .offset = 784,
          .filename = "example.warc.gz"};
}

TEST(CaptureKey, IsThatOfOtherIndexers) {
  EXPECT_EQ(capture_key("https://www.Example.com/A/?b=2&a=1"), "com,example)/a?a=1&b=2");
  EXPECT_EQ(capture_key("file:///example%20with%20spaces.png"),
            "file:/example%20with%20spaces.png");
  EXPECT_EQ(capture_key("urn:X"), "urn:X");
  EXPECT_EQ(capture_key("not a\nURL"), "not%20a%0aurl");
}

TEST(CdxjEntry, IsWrittenAsOthersWriteIt) {
  EXPECT_EQ(entry().to_line(),
            R"(com,example)/ 20170306040206 {"url": "http://example.com/", "mime": "text/html", )"
            R"("status": "200", "digest": "sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK", )"
            R"("length": "1228", "offset": "784", "filename": "example.warc.gz"})");
  CdxjEntry bare = entry();
  bare.mime.clear();
  bare.status.clear();
  EXPECT_EQ(bare.to_line().find("mime"), std::string::npos);
}

TEST(CdxjEntry, IsReadBack) {
  const auto read = read_cdxj_line(entry().to_line() + "\r\n");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, entry());
  const auto numbers = read_cdxj_line(R"(k 2017 {"offset": 5, "length": 6, "x": [{}, null]})");
  ASSERT_TRUE(numbers.has_value());
  EXPECT_EQ(numbers->offset, 5U);
}

TEST(CdxjEntry, CannotBeInjected) {
  CdxjEntry hostile = entry();
  hostile.url = "http://h/\"}\ncom,example)/ 20170306040206 {\"url\": \"x";
  hostile.key = "a b\nc";
  const std::string line = hostile.to_line();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = read_cdxj_line(line);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->url, hostile.url);
  EXPECT_EQ(read->key, "a%20b%0Ac");
}

TEST(CdxjEntry, IsRejectedIfInvalid) {
  for (const std::string_view line : {"", "key", "key 2017", "key 2017 ", "key x {}", "key 2017 []",
                                      "key 2017 {\"a\"", "key 2017 {\"a\": }"}) {
    EXPECT_FALSE(read_cdxj_line(line).has_value()) << line;
  }
}

TEST(CdxjIndex, IsSortedWithoutDuplicates) {
  CdxjEntry later = entry();
  later.timestamp = "20180101000000";
  const std::string first = entry().to_line(), second = later.to_line();
  EXPECT_EQ(sorted_lines({second, first, second}), first + '\n' + second + '\n');
}

TEST(CdxjIndex, HasRecordsThatCanBeShown) {
  RecordHead head = {.type = RecordType::metadata};
  head.fields.append("WARC-Target-URI", "http://h/");
  EXPECT_TRUE(is_indexed(head));
  head.fields.append("Content-Type", "application/warc-fields");
  EXPECT_FALSE(is_indexed(head));
  head.type = RecordType::response;
  EXPECT_TRUE(is_indexed(head));
  head.type = RecordType::request;
  EXPECT_FALSE(is_indexed(head));
}

}  // namespace
}  // namespace gossamer::warc
