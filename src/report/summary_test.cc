#include "report/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/figures.h"
#include "crawl/page/record.h"

namespace gossamer::report {
namespace {

crawler::FetchRecord record_of(std::optional<int> status, std::string_view error = {}) {
  crawler::FetchRecord record;
  record.status = status;
  record.error = error;
  return record;
}

TEST(Summary, SaysWhatCouldNotBeFetched) {
  crawler::Statistics statistics;
  statistics.unreached = {.hosts = 1, .urls_queued = 476};
  const std::string report = summary(statistics, crawler::EndReason::incomplete, 1s);
  EXPECT_NE(report.find("incomplete: 1 host unreachable, 476 URLs queued\n"), std::string::npos)
      << report;
}

TEST(Summary, SaysThatBodiesAreIncomplete) {
  crawler::Statistics statistics;
  crawler::FetchRecord record = record_of(200, "over_limit");
  record.is_truncated = true;
  statistics.add(record);
  const std::string one = summary(statistics, crawler::EndReason::finished, 1s);
  EXPECT_NE(one.find("every URL in scope was fetched, but one body is incomplete\n"),
            std::string::npos)
      << one;
  record.error = "peer_closed";
  statistics.add(record);
  const std::string two = summary(statistics, crawler::EndReason::finished, 1s);
  EXPECT_NE(two.find("but 2 bodies are incomplete\n"), std::string::npos) << two;
  statistics.remove(record);
  EXPECT_EQ(statistics.truncated, 1u);
}

TEST(Summary, IsAlignedAndShort) {
  crawler::Statistics statistics;
  for (int i = 0; i < 1200; ++i) statistics.add(record_of(200));
  for (int i = 0; i < 30; ++i) statistics.add(record_of(400 + i));
  statistics.add(record_of({}, "timed_out"));
  statistics.add(crawler::SkipReason::robots);
  const std::string report = summary(statistics, crawler::EndReason::finished, 2s);
  EXPECT_TRUE(
      report.starts_with("1,231 URLs in 2 s (615/s): 1,200 pages, 0 redirects, 31 errors; "))
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

TEST(Summary, LetsNoServerDriveTheTerminal) {
  crawler::Statistics statistics;
  crawler::FetchRecord record = record_of(200);
  record.mime = "text/\x1b[2J";
  statistics.add(record);
  const std::string report = summary(statistics, crawler::EndReason::finished, 1s);
  EXPECT_EQ(report.find('\x1b'), std::string::npos);
}

TEST(Summary, WritesNumbersForPeople) {
  EXPECT_EQ(base::grouped(0), "0");
  EXPECT_EQ(base::grouped(999), "999");
  EXPECT_EQ(base::grouped(1000), "1,000");
  EXPECT_EQ(base::grouped(1234567), "1,234,567");
  EXPECT_EQ(base::byte_count(999), "999 B");
  EXPECT_EQ(base::byte_count(1000), "1.0 kB");
  EXPECT_EQ(base::byte_count(999'960), "1.0 MB");
  EXPECT_EQ(base::byte_count(14'200'000), "14.2 MB");
  EXPECT_EQ(base::counted(1, "page"), "1 page");
  EXPECT_EQ(base::counted(1000, "page"), "1,000 pages");
}

}  // namespace
}  // namespace gossamer::report
