// Tests the screen of `gossamer crawl` on a real terminal: tmux is one whose screen can be read.

#include <gtest/gtest.h>

#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/crawl_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "tests/support/tmux.h"

namespace gossamer::cli {
namespace {

using support::kTmux;
using support::Tmux;

class CrawlScreenTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(kTmux)) GTEST_SKIP() << "tmux is not installed";
  }
  std::string command(const std::string& more) const {
    return shown("-o " + results_.file("results.jsonl") + " " + more);
  }
  // With its results on the screen, unless told otherwise.
  std::string shown(const std::string& more) const {
    return std::string("env -u NO_COLOR ") + support::gossamer_program() +
           " crawl --no-config --no-proxy " + site_.url("/") + " --concurrency 8 " + more;
  }

  SiteThread site_{plain_site(100'000, 20ms)};
  support::TestFolder results_;
};

TEST_F(CrawlScreenTest, ShowsTheProgressOfTheCrawl) {
  const Tmux terminal(command(""), 100);
  terminal.wait_for(R"(^[\d,]+ URLs  [1-9]\d*/s \(\d+/s overall\))");
  terminal.wait_for(R"(^8 in flight  [\d,]+ waiting  1 host)");
  terminal.wait_for(R"(^slowest  127\.0\.0\.1:)");
  const std::string later = terminal.wait_for(R"(^[1-9][\d,]{2,} URLs)");
  EXPECT_EQ(later.find(" URLs"), later.rfind(" URLs")) << "drawn twice\n" << later;
}

TEST_F(CrawlScreenTest, ShowsABarIfItKnowsHowManyItWillBe) {
  const Tmux terminal(command("--limit 2000"), 100);
  terminal.wait_for(R"(^\[=+>\s+\]\s+\d+% of 2,000)");
  const std::string seen = terminal.wait_for("exit 0");
  EXPECT_TRUE(has(seen, "2,000 URLs in")) << seen;
  EXPECT_FALSE(has(seen, "% of 2,000")) << "left behind\n" << seen;
  EXPECT_FALSE(has(seen, "waiting")) << seen;
}

TEST_F(CrawlScreenTest, FollowsTheSizeOfTheTerminal) {
  const Tmux terminal(command(""), 100);
  terminal.wait_for("in flight");
  terminal.resize(30);
  const std::string narrow = terminal.wait_for(R"(^[\d,]+ URLs  \d+/s[^\n]*\n\s*$)");
  terminal.resize(100);
  const std::string wide = terminal.wait_for(R"(overall\)[^\n]*\n8 in flight)");
  EXPECT_EQ(wide.find(" in flight"), wide.rfind(" in flight")) << "drawn twice\n" << wide;
}

TEST_F(CrawlScreenTest, ReportsAfterAnInterruptAndLeavesAtTheSecond) {
  {
    const Tmux terminal(command(""), 160);  // so that no line of the report is wrapped
    terminal.wait_for("in flight");
    terminal.press("C-c");
    const std::string seen = terminal.wait_for("exit 11");
    EXPECT_TRUE(has(seen, "finishing the requests in flight")) << seen;
    EXPECT_TRUE(has(seen, "interrupted")) << seen;
    EXPECT_FALSE(has(seen, "waiting")) << "left behind\n" << seen;
  }
  SiteThread slow(plain_site(3000, 60s));
  const Tmux terminal(
      support::gossamer_program() + " crawl --no-config --no-proxy " + slow.url("/"), 100);
  terminal.wait_for("in flight");
  terminal.press("C-c");
  terminal.wait_for("interrupt again");
  terminal.press("C-c");
  terminal.wait_for("exit 13");
}

TEST_F(CrawlScreenTest, KeepsResultsAndStatusApartOnOneTerminal) {
  const Tmux terminal(shown("--format text --limit 2000"), 100);
  terminal.wait_for("in flight");
  const std::string seen = terminal.wait_for("exit 0");
  EXPECT_FALSE(std::regex_search(seen, std::regex("200 http.*in flight"))) << seen;
  EXPECT_TRUE(has(seen, "2,000 URLs in")) << seen;
}

TEST_F(CrawlScreenTest, PrintsTextOnATerminalAndOnlyItsStatusWithACrawlDirectory) {
  const Tmux plain(shown("--limit 20 --no-progress"), 100);
  const std::string lines = plain.wait_for("exit 0");
  const std::regex result(R"(200 +\d+ text/html +http)");
  EXPECT_TRUE(std::regex_search(lines, result)) << lines;
  EXPECT_FALSE(has(lines, "\"url\"")) << lines;
  const Tmux job(shown("--limit 20 --no-progress -j " + results_.file("job")), 100);
  const std::string seen = job.wait_for("exit 0");
  EXPECT_FALSE(std::regex_search(seen, result)) << seen;
  EXPECT_FALSE(has(seen, "\"url\"")) << seen;
  EXPECT_TRUE(has(seen, "20 URLs in")) << seen;
}

TEST_F(CrawlScreenTest, StaysQuietWhenTold) {
  const Tmux terminal(command("--no-progress --limit 200"), 100);
  const std::string seen = terminal.wait_for("exit 0");
  EXPECT_FALSE(has(seen, "in flight")) << seen;
  EXPECT_TRUE(has(seen, "200 URLs in")) << seen;
}

// Files that a check does not read on purpose are no errors.
TEST(CheckScreenTest, CallsNothingAnErrorThatItSkipsForItsType) {
  if (!support::is_installed(kTmux)) GTEST_SKIP() << "tmux is not installed";
  const std::string file =
      "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\nx";
  support::ScriptedServerThread server({{.bytes = kMissing},
                                        {.bytes = answer("<a href=1>1</a><a href=2>2</a>"
                                                         "<a href=3>3</a>")},
                                        {.bytes = file},
                                        {.bytes = file},
                                        {.bytes = kMissing, .delay = 24h}});
  const Tmux terminal(std::string("env -u NO_COLOR ") + support::gossamer_program() +
                          " check --no-config --no-proxy --concurrency 1 " + server.url("/"),
                      100);
  const std::string seen = terminal.wait_for(R"(^3 URLs  )");
  EXPECT_TRUE(has(seen, "1 in flight")) << seen;
  EXPECT_FALSE(has(seen, "errors")) << seen;
  EXPECT_FALSE(has(seen, "unwanted_type")) << seen;
}

}  // namespace
}  // namespace gossamer::cli
