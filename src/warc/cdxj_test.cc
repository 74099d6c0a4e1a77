#include "warc/cdxj.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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
  const auto read = CdxjEntry::parse(entry().to_line() + "\r\n");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, entry());
  const auto numbers = CdxjEntry::parse(R"(k 2017 {"offset": 5, "length": 6, "x": [{}, null]})");
  ASSERT_TRUE(numbers.has_value());
  EXPECT_EQ(numbers->offset, 5U);
}

TEST(CdxjEntry, CannotBeInjected) {
  CdxjEntry hostile = entry();
  hostile.url = "http://h/\"}\ncom,example)/ 20170306040206 {\"url\": \"x";
  hostile.key = "a b\nc";
  const std::string line = hostile.to_line();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = CdxjEntry::parse(line);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->url, hostile.url);
  EXPECT_EQ(read->key, "a%20b%0Ac");
}

TEST(CdxjEntry, IsRejectedIfInvalid) {
  for (const std::string_view line : {"", "key", "key 2017", "key 2017 ", "key x {}", "key 2017 []",
                                      "key 2017 {\"a\"", "key 2017 {\"a\": }"}) {
    EXPECT_FALSE(CdxjEntry::parse(line).has_value()) << line;
  }
}

TEST(CdxjIndex, FindsEveryKeyAndNoOther) {
  std::vector<std::string> lines;
  for (int i = 0; i < 100; ++i) {
    CdxjEntry one = entry();
    one.key = fmt::format("com,example)/{:03}", i * 2);
    lines.push_back(one.to_line());
    one.timestamp = "20180101000000";
    lines.push_back(one.to_line());
    lines.push_back(one.to_line());  // twice
  }
  const std::string text = sorted_lines(std::move(lines));
  EXPECT_EQ(std::ranges::count(text, '\n'), 200);
  const CdxjIndex index(text);
  for (int i = 0; i < 200; ++i) {
    const std::string key = fmt::format("com,example)/{:03}", i);
    const std::string_view found = index.find(key);
    EXPECT_EQ(std::ranges::count(found, '\n'), i % 2 == 0 ? 2 : 0) << key;
    EXPECT_TRUE(found.empty() || found.starts_with(key + " 2017")) << key;
  }
  EXPECT_EQ(index.find_prefix("com,example)/00"),
            text.substr(0, index.find_prefix("com,example)/00").size()));
  EXPECT_EQ(std::ranges::count(index.find_prefix("com,example)/00"), '\n'), 10);
  EXPECT_EQ(index.find_prefix("com,"), text);
  EXPECT_EQ(index.find("org"), "");
  EXPECT_EQ(index.find("a"), "");
  EXPECT_EQ(CdxjIndex("").find("a"), "");
  EXPECT_EQ(CdxjIndex("a 1 {}").find("a"), "a 1 {}");
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
