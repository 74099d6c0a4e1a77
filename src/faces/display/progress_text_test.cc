#include "display/progress_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::display {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

run::CrawlProgress sample() {
  return {.since_start = 75s,
          .pages = 1520,
          .pages_per_second = 310,
          .wire_bytes = 14'200'000,
          .in_flight = 64,
          .waiting = 9811,
          .hosts = 12};
}

std::vector<std::string> texts(const run::CrawlProgress& progress, const terminal::Screen& screen) {
  std::vector<std::string> all;
  for (const terminal::ScreenLine& line : to_screen(progress, screen)) {
    EXPECT_LE(line.columns, screen.columns);
    all.push_back(line.text);
  }
  return all;
}

TEST(ProgressTextTest, FitsIntoOneLineOfALog) {
  EXPECT_EQ(to_text(sample()),
            "1,520 URLs, 310/s, 14.2 MB, 64 in flight, 9,811 waiting on 12 hosts");
}

TEST(ProgressTextTest, HasAFewLinesOnAScreen) {
  EXPECT_THAT(texts(sample(), {.columns = 80}),
              ElementsAre("1,520 URLs  310/s (20/s overall)  14.2 MB  1:15",
                          "64 in flight  9,811 waiting  12 hosts"));
}

TEST(ProgressTextTest, ShowsErrorsByCauseAndTheMostFrequentFirst) {
  run::CrawlProgress progress = sample();
  progress.errors = {{"dns_failed", 3}, {"timed_out", 20}, {"reset", 1}};
  EXPECT_EQ(texts(progress, {.columns = 80}).back(),
            "errors  20 timed_out  3 dns_failed  1 reset  ");
}

TEST(ProgressTextTest, ShowsTheSlowestHosts) {
  run::CrawlProgress progress = sample();
  progress.slowest = {{"a.example", 2100ms}, {std::string(60, 'b'), 830ms}};
  EXPECT_EQ(texts(progress, {.columns = 80}).back(),
            "slowest  a.example 2.1 s  " + std::string(29, 'b') + "... 830 ms  ");
}

TEST(ProgressTextTest, ShowsABarIfTheTotalIsKnown) {
  run::CrawlProgress progress = sample();
  progress.pages_in_all = 3040;
  EXPECT_EQ(texts(progress, {.columns = 60})[1],
            "[======================>                     ]  50% of 3,040");
  progress.pages = 3040;
  EXPECT_THAT(texts(progress, {.columns = 60})[1], HasSubstr("=] 100% of 3,040"));
}

TEST(ProgressTextTest, IsShorterOnANarrowScreen) {
  run::CrawlProgress progress = sample();
  progress.errors = {{"timed_out", 20}};
  progress.pages_in_all = 3;
  EXPECT_EQ(texts(progress, {.columns = 50}).size(), 4u);
  EXPECT_THAT(texts(progress, {.columns = 30}), ElementsAre("1,520 URLs  310/s (20/s overal"));
  EXPECT_THAT(texts(progress, {.columns = 1}), ElementsAre("1"));
  for (std::size_t columns = 1; columns < 120; ++columns) texts(progress, {.columns = columns});
}

TEST(ProgressTextTest, HasColoursOnlyIfTheScreenHas) {
  run::CrawlProgress progress = sample();
  progress.errors = {{"timed_out", 20}};
  for (const terminal::ScreenLine& line : to_screen(progress, {.columns = 80, .has_color = true})) {
    EXPECT_THAT(line.text, HasSubstr("\x1b["));
    EXPECT_LT(line.columns, line.text.size());
  }
  for (const terminal::ScreenLine& line : to_screen(progress, {.columns = 80})) {
    EXPECT_EQ(line.text.find('\x1b'), std::string::npos);
  }
}

TEST(ProgressTextTest, EscapesHostNames) {
  run::CrawlProgress progress = sample();
  progress.slowest = {{"a\x1b[2J.example", 1s}};
  for (const std::string& text : texts(progress, {.columns = 80})) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  }
}

TEST(ProgressTextTest, ShowsThePausesOfHosts) {
  run::CrawlProgress progress = sample();
  progress.pauses = {{.host = "a.example", .left = 59min + 1ms},
                     {.host = "b.example", .left = 8s, .is_silent = true},
                     {.host = "c.example", .left = 4s, .is_refusing = true}};
  EXPECT_THAT(to_text(progress), HasSubstr("a.example requested a pause of 59 min 1 s; "
                                           "b.example does not answer, next attempt in 8 s; "
                                           "c.example refuses requests, next attempt in 4 s"));
  const std::vector<std::string> lines = texts(progress, {.columns = 120});
  EXPECT_THAT(lines.back(), HasSubstr("a.example requested a pause of 59 min 1 s"));
}

TEST(ProgressTextTest, AddsUpAllLoops) {
  run::CrawlProgress progress = sample();
  run::CrawlProgress other = sample();
  other.errors = {{"reset", 2}};
  progress.errors = {{"reset", 1}, {"timed_out", 1}};
  progress.add(other);
  EXPECT_EQ(progress.pages, 3040u);
  EXPECT_EQ(progress.hosts, 24u);
  EXPECT_EQ(progress.errors["reset"], 3u);
}

}  // namespace
}  // namespace gossamer::display
