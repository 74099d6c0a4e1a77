#include "warc/cdxj.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/cdxj_line.h"
#include "warc/digest.h"
#include "warc/verifier.h"

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

RecordHead head_of(RecordType type, std::string_view date = "2017-03-06T04:02:06Z") {
  RecordHead head = {.type = type};
  head.fields.append("WARC-Target-URI", "http://www.example.com/A");
  head.fields.append("WARC-Date", std::string(date));
  return head;
}

CdxjEntry entry_of(RecordHead head, std::string_view block) {
  head.block_bytes = block.size();
  Verifier verifier(head);
  verifier.feed(as_bytes(block));
  verifier.finish(true);
  return index_entry(head, {.member_offset = 7, .member_bytes = 9}, verifier, "x.warc.gz");
}

TEST(CdxjEntry, DescribesAResponse) {
  const CdxjEntry made =
      entry_of(head_of(RecordType::response),
               "HTTP/1.1 404 No\r\nContent-Type: text/html; charset=x\r\n\r\n<p>");
  EXPECT_EQ(made.url, "http://www.example.com/A");
  EXPECT_EQ(made.key, "com,example)/a");
  EXPECT_EQ(made.timestamp, "20170306040206");
  EXPECT_EQ(made.mime, "text/html");
  EXPECT_EQ(made.status, "404");
  EXPECT_EQ(made.digest, digest_of(DigestAlgorithm::sha1, as_bytes("<p>")).to_string());
  EXPECT_EQ(made.offset, 7U);
  EXPECT_EQ(made.length, 9U);
  EXPECT_EQ(made.filename, "x.warc.gz");
}

TEST(CdxjEntry, DescribesRevisitsAndResources) {
  RecordHead revisit = head_of(RecordType::revisit);
  revisit.fields.append("WARC-Payload-Digest", "sha1:X");
  const CdxjEntry again = entry_of(revisit, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
  EXPECT_EQ(again.mime, "warc/revisit");
  EXPECT_EQ(again.digest, "sha1:X");
  EXPECT_EQ(entry_of(head_of(RecordType::revisit), "HTTP/1.1 304 Same\r\n\r\n").digest, "")
      << "its payload is elsewhere";
  RecordHead resource = head_of(RecordType::resource);
  resource.fields.append("Content-Type", "text/plain; charset=x");
  const CdxjEntry plain = entry_of(resource, "text");
  EXPECT_EQ(plain.mime, "text/plain");
  EXPECT_EQ(plain.status, "");
  EXPECT_EQ(plain.digest, digest_of(DigestAlgorithm::sha1, as_bytes("text")).to_string());
}

TEST(CdxjEntry, HasFourteenDigitsForAnyDate) {
  EXPECT_EQ(entry_of(head_of(RecordType::resource, "2017-99-06"), "").timestamp, "20179906000000");
  EXPECT_EQ(entry_of(head_of(RecordType::resource, ""), "").timestamp, "00000000000000");
  EXPECT_EQ(entry_of(head_of(RecordType::resource, "x123456789012345678"), "").timestamp,
            "12345678901234");
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

TEST(CdxjEntry, HasNoTypeIfTheRecordSaysNone) {
  RecordHead dns = {.type = RecordType::response};
  dns.fields.append("WARC-Target-URI", "dns:h");
  dns.fields.append("Content-Type", "text/dns");
  EXPECT_EQ(entry_of(dns, "h. 1 IN A 1.2.3.4").mime, "") << "it is not the type of a page";
  RecordHead arc = {.format = RecordFormat::arc, .type = RecordType::response};
  arc.fields.append("uri", "dns:h");
  arc.fields.append("content-type", "text/dns");
  EXPECT_EQ(entry_of(arc, "x").mime, "");
  const CdxjEntry strange = entry_of(head_of(RecordType::response), "<html>");
  EXPECT_EQ(strange.status, "");
  EXPECT_EQ(strange.mime, "");
  RecordHead tabbed = head_of(RecordType::resource);
  tabbed.fields.append("Content-Type", "text/x-a\tb");
  EXPECT_EQ(entry_of(tabbed, "x").mime, "text/x-a");
}

TEST(CdxjEntry, TrustsADeclaredDigestThatIsNotEmpty) {
  RecordHead head = head_of(RecordType::response);
  head.fields.append("WARC-Payload-Digest", "");
  EXPECT_EQ(entry_of(head, "HTTP/1.1 200 OK\n\nx").digest,
            digest_of(DigestAlgorithm::sha1, as_bytes("x")).to_string());
  RecordHead declared = head_of(RecordType::response);
  declared.fields.append("WARC-Payload-Digest", "md5:whatever");
  EXPECT_EQ(entry_of(declared, "HTTP/1.1 200 OK\n\nx").digest, "md5:whatever");
}

TEST(CdxjEntry, TakesOnlyTheDigitsOfAnInvalidDate) {
  EXPECT_EQ(entry_of(head_of(RecordType::resource, "0/9:1"), "").timestamp, "09100000000000");
}

TEST(CdxjIndex, NeedsAnAddress) {
  for (const auto type :
       {RecordType::response, RecordType::revisit, RecordType::resource, RecordType::metadata}) {
    RecordHead head = {.type = type};
    EXPECT_FALSE(is_indexed(head));
    head.fields.append("WARC-Target-URI", "urn:x");
    EXPECT_TRUE(is_indexed(head));
  }
  for (const auto type : {RecordType::warcinfo, RecordType::request, RecordType::conversion,
                          RecordType::continuation, RecordType::arc_header, RecordType::unknown}) {
    EXPECT_FALSE(is_indexed(head_of(type)));
  }
  RecordHead fields = head_of(RecordType::metadata);
  fields.fields.append("Content-Type", "Application/WARC-Fields ; charset=utf-8");
  EXPECT_FALSE(is_indexed(fields));
}

TEST(CdxjIndex, PutsALineBeforeTheLongerOnesThatBeginWithIt) {
  EXPECT_EQ(sorted_lines({"a b", "a", "Z"}), "Z\na\na b\n") << "by bytes";
  EXPECT_EQ(sorted_lines({}), "");
}

}  // namespace
}  // namespace gossamer::warc
