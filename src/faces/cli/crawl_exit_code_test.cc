#include "cli/crawl_exit_code.h"

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

TEST(CrawlExitCodeTest, OfARecordIsTheSameAsWget) {
  EXPECT_EQ(exit_code_for(record_of(200)), kOk);
  EXPECT_EQ(exit_code_for(record_of(301)), kOk);
  EXPECT_EQ(exit_code_for(record_of(404)), kServerError);
  crawler::FetchRecord guess = record_of(404);
  guess.url = "http://a.example/sitemap.xml";
  guess.via = "http://a.example/robots.txt";
  EXPECT_EQ(exit_code_for(guess), kServerError);
  guess.is_requisite = true;
  EXPECT_EQ(exit_code_for(guess), kOk) << "robots.txt does not name this sitemap";
  EXPECT_EQ(exit_code_for(record_of(401)), kAuthenticationFailed);
  EXPECT_EQ(exit_code_for(record_of({}, "timed_out")), kNetworkFailed);
  EXPECT_EQ(exit_code_for(record_of({}, "tls_failed")), kTlsFailed);
  EXPECT_EQ(exit_code_for(record_of(200, "malformed")), kProtocolFailed);
  EXPECT_EQ(exit_code_for(record_of(302, crawler::kTooManyRedirects)), kServerError);
  EXPECT_EQ(exit_code_for(record_of(302, crawler::kBadRedirect)), kProtocolFailed);
  EXPECT_EQ(exit_code_for(record_of(200, crawler::kUnwantedType)), kOk);
}

TEST(CrawlExitCodeTest, SaysThatABodyWasCut) {
  crawler::FetchRecord record = record_of(200, "over_limit");
  record.is_truncated = true;
  EXPECT_EQ(exit_code_for(record), kFailed);
  crawler::Statistics statistics;
  statistics.add(record);
  EXPECT_EQ(exit_code_for(statistics), kFailed);
  record.status = 404;
  EXPECT_EQ(exit_code_for(record), kServerError);
  record.status = {};
  EXPECT_EQ(exit_code_for(record), kProtocolFailed) << "an endless head";
  crawler::Statistics endless;
  endless.add(record);
  EXPECT_EQ(exit_code_for(endless), kProtocolFailed);
}

TEST(CrawlExitCodeTest, SaysWhyACrawlEndedEarly) {
  EXPECT_EQ(exit_code_for(crawler::EndReason::finished, kServerError), kServerError);
  EXPECT_EQ(exit_code_for(crawler::EndReason::page_limit, kOk), kOk);
  EXPECT_EQ(exit_code_for(crawler::EndReason::incomplete, kServerError), 16);
  EXPECT_EQ(exit_code_for(crawler::EndReason::quota, kServerError), 14);
  EXPECT_EQ(exit_code_for(crawler::EndReason::time_limit, kOk), 15);
  EXPECT_EQ(exit_code_for(crawler::EndReason::interrupted, kOk), 11);
  EXPECT_EQ(exit_code_for(crawler::EndReason::aborted, kOk), 13);
  EXPECT_EQ(exit_code_for(crawler::EndReason::sink_failed, kOk), kFileFailed);
}

TEST(CrawlExitCodeTest, SaysThatAGuardSkippedUrls) {
  crawler::Statistics statistics;
  statistics.add(crawler::SkipReason::robots);
  statistics.add(crawler::SkipReason::host_budget);
  statistics.add(crawler::SkipReason::logout);
  EXPECT_EQ(exit_code_for_guesses(statistics), kOk);
  statistics.add(crawler::SkipReason::endless_series);
  EXPECT_EQ(exit_code_for_guesses(statistics), kFailed);
}

TEST(CrawlExitCodeTest, AWrongGuessIsNoFailureOfAJob) {
  crawler::FetchRecord guess = record_of(404);
  guess.is_guess = true;
  crawler::Statistics statistics;
  statistics.add(guess);
  EXPECT_EQ(exit_code_for(statistics), kOk);
  statistics.add(record_of(404));
  statistics.remove(guess);
  EXPECT_EQ(exit_code_for(statistics), kServerError);
}

TEST(CrawlExitCodeTest, IsTheWorstOfAllCountedRecords) {
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

}  // namespace
}  // namespace gossamer::cli
