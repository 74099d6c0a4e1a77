#include "cli/crawl_report.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cli/command.h"

namespace gossamer::cli {
namespace {

crawler::FetchRecord record_of(std::optional<int> status, std::string_view error = {}) {
  crawler::FetchRecord record;
  record.status = status;
  record.error = error;
  return record;
}

TEST(CrawlExitCodeTest, IsThatOfWgetForARecord) {
  EXPECT_EQ(exit_code_for(record_of(200)), kOk);
  EXPECT_EQ(exit_code_for(record_of(301)), kOk);
  EXPECT_EQ(exit_code_for(record_of(404)), kServerError);
  crawler::FetchRecord guess = record_of(404);
  guess.url = "http://a.example/sitemap.xml";
  guess.via = "http://a.example/robots.txt";
  EXPECT_EQ(exit_code_for(guess), kServerError);
  guess.is_requisite = true;
  EXPECT_EQ(exit_code_for(guess), kOk) << "nobody named this sitemap";
  EXPECT_EQ(exit_code_for(record_of(401)), kAuthenticationFailed);
  EXPECT_EQ(exit_code_for(record_of({}, "timed_out")), kNetworkFailed);
  EXPECT_EQ(exit_code_for(record_of({}, "tls_failed")), kTlsFailed);
  EXPECT_EQ(exit_code_for(record_of(200, "malformed")), kProtocolFailed);
  EXPECT_EQ(exit_code_for(record_of(302, crawler::kTooManyRedirects)), kServerError);
  EXPECT_EQ(exit_code_for(record_of(302, crawler::kBadRedirect)), kProtocolFailed);
  EXPECT_EQ(exit_code_for(record_of(200, crawler::kUnwantedType)), kOk);
}

TEST(CrawlExitCodeTest, CallsABodyBeyondOurOwnBoundNoFailure) {
  crawler::FetchRecord record = record_of(200, "over_limit");
  record.is_truncated = true;
  EXPECT_EQ(exit_code_for(record), kOk);
  record.status = {};
  EXPECT_EQ(exit_code_for(record), kProtocolFailed) << "a head without end";
}

TEST(CrawlExitCodeTest, SaysWhyACrawlEndedEarly) {
  EXPECT_EQ(exit_code_for(crawler::EndReason::finished, kServerError), kServerError);
  EXPECT_EQ(exit_code_for(crawler::EndReason::page_limit, kOk), kOk);
  EXPECT_EQ(exit_code_for(crawler::EndReason::quota, kServerError), 14);
  EXPECT_EQ(exit_code_for(crawler::EndReason::time_limit, kOk), 15);
  EXPECT_EQ(exit_code_for(crawler::EndReason::interrupted, kOk), 11);
  EXPECT_EQ(exit_code_for(crawler::EndReason::aborted, kOk), 13);
  EXPECT_EQ(exit_code_for(crawler::EndReason::sink_failed, kOk), kFileFailed);
}

TEST(CrawlExitCodeTest, IsTheWorstOfAllRecordsThatWereCounted) {
  crawler::Statistics statistics;
  EXPECT_EQ(exit_code_for(statistics), kOk);
  statistics.add(record_of(200));
  statistics.add(record_of(301));
  statistics.add(record_of(200, crawler::kUnwantedType));
  EXPECT_EQ(exit_code_for(statistics), kOk);
  statistics.add(record_of(404));
  EXPECT_EQ(exit_code_for(statistics), kServerError);
  statistics.add(record_of({}, "refused"));
  EXPECT_EQ(exit_code_for(statistics), kNetworkFailed);
  statistics.remove(record_of({}, "refused"));
  EXPECT_EQ(exit_code_for(statistics), kServerError) << "it was retried";
}

TEST(CrawlReportTest, SaysWhatCouldNotBeFetched) {
  crawler::Statistics statistics;
  statistics.unreached = {.hosts = 1, .urls_queued = 476};
  const std::string report = crawl_report(statistics, crawler::EndReason::incomplete, 1s);
  EXPECT_NE(report.find("incomplete: 1 host unreachable, 476 URLs queued\n"), std::string::npos)
      << report;
  EXPECT_EQ(exit_code_for(crawler::EndReason::incomplete, kServerError), 16);
}

TEST(CrawlReportTest, IsAlignedAndShort) {
  crawler::Statistics statistics;
  for (int i = 0; i < 1200; ++i) statistics.add(record_of(200));
  for (int i = 0; i < 30; ++i) statistics.add(record_of(400 + i));
  statistics.add(record_of({}, "timed_out"));
  statistics.add(crawler::SkipReason::robots);
  const std::string report = crawl_report(statistics, crawler::EndReason::finished, 2s);
  EXPECT_TRUE(
      report.starts_with("1,231 URLs in 2.00 s (615/s): 1,200 pages, 0 redirects, 31 errors; "))
      << report;
  EXPECT_NE(report.find("  status        200                               1,200\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("                others                               20\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("  errors        timed_out                             1\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("  skipped       robots                                1\n"),
            std::string::npos)
      << report;
}

TEST(CrawlReportTest, LetsNoServerDriveTheTerminal) {
  crawler::Statistics statistics;
  crawler::FetchRecord record = record_of(200);
  record.mime = "text/\x1b[2J";
  statistics.add(record);
  const std::string report = crawl_report(statistics, crawler::EndReason::finished, 1s);
  EXPECT_EQ(report.find('\x1b'), std::string::npos);
}

TEST(CrawlReportTest, WritesNumbersForPeople) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(byte_count(999), "999 B");
  EXPECT_EQ(byte_count(1000), "1.0 kB");
  EXPECT_EQ(byte_count(999'960), "1.0 MB");
  EXPECT_EQ(byte_count(14'200'000), "14.2 MB");
  EXPECT_EQ(counted(1, "page"), "1 page");
  EXPECT_EQ(counted(1000, "page"), "1,000 pages");
}

}  // namespace
}  // namespace gossamer::cli
