// Tests the screen of `gossamer top` on a real terminal.

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <regex>
#include <string>

#include "cli/command.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "tests/support/tmux.h"

namespace gossamer::cli {
namespace {

using support::kTmux;
using support::Tmux;

class TopScreenOnTerminalTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(kTmux)) GTEST_SKIP() << "tmux is not installed";
    crawl_.emplace(crawl_words({site_.url("/"), "--concurrency", "8", "--control", socket_, "-o",
                                folder_.file("results.jsonl")}));
    support::wait_until([&] { return CommandRun({"top", socket_, "status"}).wait() == kOk; });
  }
  std::string command() const {
    return std::string("env -u NO_COLOR ") + support::gossamer_program() +
           " top --interval 100ms " + socket_;
  }

  SiteThread site_{plain_site(30'000, 30ms)};
  support::TestFolder folder_;
  const std::string socket_ = folder_.file("control");
  std::optional<CommandRun> crawl_;
};

TEST_F(TopScreenOnTerminalTest, ShowsTheCrawlAndLeavesTheTerminalAsItWas) {
  const Tmux terminal("echo before; " + command(), 100);
  const std::string seen = terminal.wait_for(R"(8 in flight of 8  [\d,]+ waiting  1 host)");
  EXPECT_TRUE(std::regex_search(seen, std::regex(R"(gossamer top  running)"))) << seen;
  EXPECT_TRUE(std::regex_search(seen, std::regex(R"(>\s+\d+\.\d s.*http://127\.0\.0\.1)"))) << seen;
  EXPECT_TRUE(has(seen, "Engine::work")) << seen;
  EXPECT_TRUE(has(seen, "q quit")) << seen;
  EXPECT_FALSE(has(seen, "before")) << seen;
  terminal.press("q");
  const std::string after = terminal.wait_for("exit 0");
  EXPECT_TRUE(has(after, "before")) << after;
  EXPECT_FALSE(has(after, "in flight")) << "left behind\n" << after;
}

TEST_F(TopScreenOnTerminalTest, SteersByKeys) {
  const Tmux terminal(command(), 100);
  terminal.wait_for("8 in flight of 8");
  terminal.press("p");
  terminal.wait_for("gossamer top  paused");
  terminal.wait_for("0 in flight of 8");
  const std::uint64_t before = requests_to(site_);
  terminal.press("-");
  terminal.wait_for("in flight of 7");
  EXPECT_EQ(requests_to(site_), before);
  terminal.press("r");
  terminal.wait_for("7 in flight of 7");
  terminal.press("a");
  terminal.type("ftp://q");
  terminal.wait_for("add URL: ftp://q");
  terminal.press("Enter");
  terminal.wait_for("ftp");
  terminal.press("s");
  terminal.wait_for("stop the crawl");
  terminal.press("y");
  terminal.wait_for("the crawl has ended");
  terminal.wait_for("exit 0");
  EXPECT_EQ(crawl_->wait(), 11);
}

TEST_F(TopScreenOnTerminalTest, FollowsTheSizeOfTheTerminal) {
  const Tmux terminal(command(), 100);
  terminal.wait_for("8 in flight of 8");
  terminal.resize(30);
  const std::string narrow = terminal.wait_for("^8 in flight of 8  [^\n]{0,12}\n");
  EXPECT_EQ(narrow.find("in flight"), narrow.rfind("in flight")) << "drawn twice\n" << narrow;
  terminal.resize(100);
  terminal.wait_for("8 in flight of 8 .*delay auto");
  terminal.press("C-c");
  terminal.wait_for("exit 0");
}

}  // namespace
}  // namespace gossamer::cli
