#include "record/result_line.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::report {
namespace {

TEST(ResultLineTest, ReadsTheRecordThatWasWritten) {
  crawler::FetchRecord record;
  record.url = "http://a.example/\"x\"";
  record.status = 301;
  record.next_url = "http://a.example/y";
  record.error = "over_limit";
  record.error_detail = "too\nmuch";
  record.bytes = 12;
  record.mime = "text/html";
  record.depth = 3;
  record.via = "http://a.example/";
  record.tries = 2;
  record.title = "caf\xC3\xA9";
  record.facts.total = 1500us;
  const std::string json = crawler::to_json(record);
  const ResultLine line(json);
  ASSERT_TRUE(line.record());
  EXPECT_FALSE(line.skipped());
  EXPECT_EQ(line.record()->url, record.url);
  EXPECT_EQ(line.record()->error, "over_limit");
  EXPECT_EQ(line.record()->title, record.title);
  EXPECT_EQ(line.record()->tries, 2u);
  EXPECT_EQ(line.record()->facts.total, 1500us);
  // What is not kept in a file is not known: the address of the server, say.
  EXPECT_EQ(line.record()->next_url, record.next_url);
}

TEST(ResultLineTest, ReadsFieldsInAnyOrder) {
  const ResultLine line(R"({"timings": {"ttfb": 1.5}, "title": "T", "warc": {"offset": 7}, )"
                        R"("unknown": {"status": 404}, "ip": "10.0.0.1", "truncated": true, )"
                        R"("error": null, "url": "http://a.example/", "status": 200, )"
                        R"("metadata": {"words": 3}})");
  ASSERT_TRUE(line.record());
  EXPECT_EQ(line.record()->url, "http://a.example/");
  EXPECT_EQ(line.record()->status, 200);
  EXPECT_EQ(line.record()->error, "");
  EXPECT_EQ(line.record()->title, "T");
  EXPECT_EQ(line.record()->facts.first_byte, 1500us);
  EXPECT_EQ(line.record()->facts.connection.remote.address_text(), "10.0.0.1");
  EXPECT_EQ(line.record()->archive->offset, 7u);
  EXPECT_EQ(line.record()->metadata->words, 3u);
  EXPECT_TRUE(line.record()->is_truncated);
}

TEST(ResultLineTest, ReadsWhatWasSkipped) {
  const std::string json =
      crawler::to_json(crawler::SkippedUrl{.url = "http://a.example/p",
                                           .reason = crawler::SkipReason::robots,
                                           .via = "http://a.example/",
                                           .depth = 2,
                                           .detail = "robots.txt line 3: /p"});
  const ResultLine line(json);
  ASSERT_TRUE(line.skipped());
  EXPECT_EQ(line.skipped()->url, "http://a.example/p");
  EXPECT_EQ(line.skipped()->reason, crawler::SkipReason::robots);
  EXPECT_EQ(line.skipped()->via, "http://a.example/");
  EXPECT_EQ(line.skipped()->detail, "robots.txt line 3: /p");
}

TEST(ResultLineTest, IsNeitherIfItIsSomethingElse) {
  for (const char* text : {"", "no json", "{}", "{\"url\": 5}", "[1]", "{\"url\": \"x\""}) {
    const ResultLine line(text);
    EXPECT_FALSE(line.record()) << text;
    EXPECT_FALSE(line.skipped()) << text;
  }
}

TEST(ResultLineTest, TakesNumbersThatMakeNoSense) {
  const ResultLine line(R"({"url": "http://a.example/", "status": 99999999999, "tries": 0, )"
                        R"("timings": {"total": 1e99}})");
  ASSERT_TRUE(line.record());
  EXPECT_FALSE(line.record()->status);
  EXPECT_EQ(line.record()->tries, 1u);
  EXPECT_EQ(line.record()->facts.total, Duration::zero());
}

}  // namespace
}  // namespace gossamer::report
