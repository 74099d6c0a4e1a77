#include "report/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/figures.h"
#include "record/record.h"
#include "report/phrases.h"

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

TEST(Summary, SaysWhatBrowsersHaveShown) {
  crawler::Statistics statistics;
  crawler::FetchRecord record = record_of(200);
  record.url = "http://a.example/shop/1";
  record.rendering = crawler::Rendering{.has_gained = true};
  statistics.add(record);
  record.rendering = crawler::Rendering{.error = "timed_out"};
  statistics.add(record);
  const std::string text = summary(statistics, crawler::EndReason::finished, 1s);
  EXPECT_NE(text.find("\nrendered 1 of 2 URLs; 1 gained links or text; "
                      "1 could not be rendered (timed_out)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("rendered      a.example/shop/*, 1 gained"), std::string::npos) << text;
}

TEST(Summary, SaysThatPagesShowNothingWithoutScripts) {
  crawler::Statistics statistics;
  crawler::FetchRecord record = record_of(200);
  record.needs_scripts = true;
  statistics.add(record);
  EXPECT_NE(summary(statistics, crawler::EndReason::finished, 1s)
                .find("\n1 page shows little or nothing without scripts (see `render`)\n"),
            std::string::npos);
  statistics.remove(record);
  EXPECT_EQ(scripts_text(statistics), "");
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

TEST(Summary, NamesGuessesAndTheirOptions) {
  crawler::Statistics statistics;
  statistics.add(crawler::SkipReason::robots, 5);
  EXPECT_NE(summary(statistics, crawler::EndReason::finished, 1s).find(": every URL in scope was "),
            std::string::npos);
  statistics.add(crawler::SkipReason::endless_series, 1609);
  statistics.add(crawler::SkipReason::links_per_page);
  statistics.add(crawler::SkipReason::logout, 2);
  const std::string text = summary(statistics, crawler::EndReason::finished, 1s);
  EXPECT_EQ(text.find("every URL"), std::string::npos) << text;
  EXPECT_NE(text.find(": finished, but guesses skipped 1,612 URLs: 1,609 endless_series "
                      "(see `no-trap` endless_series), 1 links_per_page, 2 logout "
                      "(see `follow-logout`)\n"),
            std::string::npos)
      << text;
  const std::string cut = summary(statistics, crawler::EndReason::page_limit, 1s);
  EXPECT_NE(cut.find(": ended by `limit`; guesses skipped 1,612 URLs: "), std::string::npos) << cut;
}

// Each guess says how its URLs are fetched; what a site or the user forbids is not a guess.
TEST(Summary, EveryGuessButOneHasAnOption) {
  for (std::size_t i = 0; i < crawler::kSkipReasons; ++i) {
    const auto reason = static_cast<crawler::SkipReason>(i);
    const bool is_trap = describe(reason).starts_with("trap: ");
    if (is_trap) EXPECT_TRUE(is_guess(reason)) << crawler::name(reason);
    const bool has_option = !setting_against(reason).empty();
    EXPECT_EQ(has_option, is_guess(reason) && reason != crawler::SkipReason::links_per_page);
  }
  EXPECT_FALSE(is_guess(crawler::SkipReason::robots));
  EXPECT_FALSE(is_guess(crawler::SkipReason::excluded));
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
  EXPECT_NE(report.find("  errors        400                                   1\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("  skipped       robots                                1\n"),
            std::string::npos)
      << report;
}

// The numbers of the first line are the sums of the tables below it.
TEST(Summary, CountsEveryUrlOnce) {
  crawler::Statistics statistics;
  crawler::FetchRecord broken_off = record_of(200, "peer_closed");
  broken_off.is_truncated = true;
  for (const crawler::FetchRecord& record :
       {record_of(200), record_of(301), record_of(404), record_of(404), record_of({}, "timed_out"),
        broken_off, record_of(200, crawler::kUnwantedType)}) {
    statistics.add(record);
  }
  const std::string report = summary(statistics, crawler::EndReason::finished, 2s);
  EXPECT_TRUE(report.starts_with("7 URLs in 2 s (3/s): 1 page, 1 redirect, 4 errors, 1 unwanted; "))
      << report;
  EXPECT_NE(report.find("  errors        404                                   2\n"
                        "                peer_closed                           1\n"
                        "                timed_out                             1\n"),
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
