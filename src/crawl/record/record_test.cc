#include "record/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gossamer::crawler {
namespace {

using testing::HasSubstr;
using testing::Not;

FetchRecord whole_record() {
  FetchRecord record;
  record.ts = {.seconds = 1'700'000'000, .nanoseconds = 123'999'999};
  record.url = "https://a.example/x?y=1";
  record.status = 301;
  record.next_url = "https://a.example/z";
  record.error = kTooManyRedirects;
  record.error_detail = "more than 10 redirects";
  record.bytes = 5120;
  record.wire_bytes = 1400;
  record.mime = "text/html";
  record.charset = "UTF-8";
  record.depth = 3;
  record.via = "https://a.example/";
  record.links_found = 36;
  record.links_new = 7;
  record.tries = 2;
  record.digest = 0xabcULL;
  record.duplicate_of = "https://a.example/first";
  record.title = "A page";
  record.is_truncated = true;
  record.facts.connection.remote = *async::Endpoint::parse_address("192.0.2.1");
  record.facts.connection.dns = 1500us;
  record.facts.connection.connect = 2ms;
  record.facts.connection.handshake = 3ms;
  record.facts.protocol = "HTTP/1.1";
  record.facts.first_byte = 10ms;
  record.facts.total = 12345us;
  return record;
}

TEST(Record, IsALineOfJsonWithFieldsInTheOrderOfTheManual) {
  EXPECT_EQ(
      to_json(whole_record()),
      R"({"ts": "2023-11-14T22:13:20.123Z", "url": "https://a.example/x?y=1", "status": 301, )"
      R"("next_url": "https://a.example/z", "error": "too_many_redirects", )"
      R"("error_detail": "more than 10 redirects", "bytes": 5120, "wire_bytes": 1400, )"
      R"("mime": "text/html", "charset": "UTF-8", "depth": 3, "via": "https://a.example/", )"
      R"("links_found": 36, "links_new": 7, "tries": 2, "digest": "xxh3:0000000000000abc", )"
      R"("duplicate_of": "https://a.example/first", "title": "A page", "truncated": true, )"
      R"("truncated_by": "unspecified", )"
      R"("ip": "192.0.2.1", "proto": "HTTP/1.1", "timings": {"dns": 1.500, "connect": 2.000, )"
      R"("tls": 3.000, "ttfb": 10.000, "total": 12.345}})");
}

TEST(Record, HasNullForMissingValues) {
  FetchRecord record;
  record.ts = {.seconds = 1'700'000'000};
  record.url = "http://nobody.example/";
  record.error = "dns_failed";
  record.error_detail = "no such name";
  EXPECT_EQ(
      to_json(record),
      R"({"ts": "2023-11-14T22:13:20.000Z", "url": "http://nobody.example/", "status": null, )"
      R"("next_url": null, "error": "dns_failed", "error_detail": "no such name", "bytes": 0, )"
      R"("wire_bytes": 0, "mime": null, "charset": null, "depth": 0, "via": null, )"
      R"("links_found": 0, "links_new": 0, "tries": 1, "digest": null, )"
      R"("duplicate_of": null, "title": null, "truncated": false})");
}

TEST(Record, HasNullErrorsOnSuccess) {
  FetchRecord record = whole_record();
  record.error = {};
  record.error_detail.clear();
  EXPECT_THAT(to_json(record), HasSubstr(R"("error": null, "error_detail": null,)"));
}

TEST(Record, SaysWhyAPartOfItsBodyIsMissing) {
  FetchRecord record;
  EXPECT_EQ(truncation_of(record), "");
  for (const auto& [code, why] :
       {std::pair(Errc::over_limit, "length"), std::pair(Errc::timed_out, "time"),
        std::pair(Errc::peer_closed, "disconnect"), std::pair(Errc::reset, "disconnect"),
        std::pair(Errc::malformed, "unspecified")}) {
    record.status = 200;
    note_failure(record, Error(code));
    EXPECT_EQ(truncation_of(record), why);
    EXPECT_EQ(is_cut_by_limit(record), code == Errc::over_limit);
    record.status.reset();
    note_failure(record, Error(code));
    EXPECT_EQ(truncation_of(record), "") << "there is no body";
  }
}

TEST(Record, HasZeroTimesForAReusedConnection) {
  FetchRecord record = whole_record();
  record.facts.reused = true;
  EXPECT_THAT(to_json(record),
              HasSubstr(R"("timings": {"dns": 0.000, "connect": 0.000, "tls": 0.000,)"));
}

TEST(Record, WritesIpv6Addresses) {
  FetchRecord record = whole_record();
  record.facts.connection.remote = *async::Endpoint::parse_address("2001:db8::1");
  EXPECT_THAT(to_json(record), HasSubstr(R"("ip": "2001:db8::1")"));
}

// Every byte that a server can choose.
TEST(Record, IsOneLineOfValidUtf8WhateverTheServerSends) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  FetchRecord record = whole_record();
  record.title = all;
  record.url = "http://a.example/" + all;
  record.next_url = all;
  record.mime = all;
  record.charset = all;
  record.via = all;
  record.error_detail = all;
  record.duplicate_of = all;
  const std::string line = to_json(record);
  for (const char c : line) {
    EXPECT_GE(static_cast<unsigned char>(c), 0x20);
    EXPECT_NE(c, '\x7f');
  }
  EXPECT_THAT(line, HasSubstr(R"(\u0000\u0001)"));
  EXPECT_THAT(line, HasSubstr(R"( !\"#$)"));
  EXPECT_THAT(line, HasSubstr(R"([\\])"));
  // 128 bytes that begin no character become as many replacements.
  std::string replaced;
  for (int i = 0; i < 128; ++i) replaced += "\xEF\xBF\xBD";
  EXPECT_THAT(line, HasSubstr(replaced));
}

TEST(Record, KeepsTextsInOtherScripts) {
  FetchRecord record = whole_record();
  record.title = "\xD0\x90 \xE2\x80\x94 \xF0\x9F\x95\xB8";
  EXPECT_THAT(to_json(record), HasSubstr("\"title\": \"\xD0\x90 \xE2\x80\x94 \xF0\x9F\x95\xB8\""));
}

TEST(Record, OfASkippedUrlSaysWhy) {
  EXPECT_EQ(to_json(SkippedUrl{.url = "http://a.example/private",
                               .reason = SkipReason::robots,
                               .via = "http://a.example/",
                               .depth = 2,
                               .detail = "robots.txt line 3: /private"}),
            R"({"url": "http://a.example/private", "skip_reason": "robots", )"
            R"("detail": "robots.txt line 3: /private", "depth": 2, "via": "http://a.example/"})");
  EXPECT_EQ(to_json(SkippedUrl{.url = "mailto:\n\"", .reason = SkipReason::not_http}),
            R"({"url": "mailto:\u000a\"", "skip_reason": "not_http", "detail": null, )"
            R"("depth": 0, "via": null})");
}

TEST(Record, IsALineOfTextForPeople) {
  FetchRecord record = whole_record();
  const std::string line = to_text(record);
  EXPECT_THAT(line, HasSubstr("301"));
  EXPECT_THAT(line, HasSubstr("text/html"));
  EXPECT_THAT(line, HasSubstr("https://a.example/x?y=1 -> https://a.example/z"));
  EXPECT_THAT(line, HasSubstr("[too_many_redirects]"));
}

TEST(Record, IsSafeForATerminal) {
  FetchRecord record = whole_record();
  record.url =
      "http://a.example/\x1b]0;pwned\x07\xC2\x9B"
      "31m\r\n\xE2\x80\xAE";
  record.mime = "text/\x1b[2Jhtml";
  record.next_url = "\x1b[1m";
  const std::string line = to_text(record);
  for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  EXPECT_THAT(line, Not(HasSubstr("\xC2\x9B")));
  EXPECT_THAT(line, Not(HasSubstr("\xE2\x80\xAE")));
}

TEST(Record, AGuessIsWrongIfTheServerRefusesIt) {
  FetchRecord guess;
  guess.is_guess = true;
  FetchRecord sitemap;
  sitemap.url = "http://a.example/sitemap.xml";
  sitemap.via = "http://a.example/robots.txt";
  sitemap.is_requisite = true;
  FetchRecord page;
  for (const int status : {200, 301, 399, 400, 404, 499, 500, 503, 504}) {
    guess.status = sitemap.status = page.status = status;
    EXPECT_EQ(is_wrong_guess(guess), status >= 400) << status;
    EXPECT_EQ(is_wrong_guess(sitemap), status >= 400 && status < 500) << status;
    EXPECT_FALSE(is_wrong_guess(page)) << status;
  }
  guess.status = sitemap.status = std::nullopt;
  EXPECT_FALSE(is_wrong_guess(guess));
  EXPECT_FALSE(is_wrong_guess(sitemap));
  guess.error = "dns_failed";
  EXPECT_TRUE(is_wrong_guess(guess));
}

}  // namespace
}  // namespace gossamer::crawler
