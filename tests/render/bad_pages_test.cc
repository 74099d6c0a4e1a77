// Crawls pages that loop, hang, crash and flood in a real browser: each ends, has one record, and
// nothing is left of the browser, however Gossamer ends.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"
#include "render/browser_process.h"
#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/processes.h"
#include "tests/support/server_program.h"
#include "tests/support/suite.h"

namespace gossamer::render {
namespace {

using support::CommandRun;
using testing::Contains;
using testing::Not;
using testing::StartsWith;

bool is_browser(pid_t process) {
  return support::is_running(process) && support::command_line_of(process).contains("chromium");
}

constexpr std::uint64_t kPagesPerCrawl = 50;

class BadPagesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_browser()) GTEST_SKIP() << "chromium-headless-shell is not installed";
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    std::filesystem::create_directory(folder_.file("tmp"));
    port_ = support::free_port();
    site_ = std::make_unique<support::Program>(std::vector<std::string>{
        support::kPython, support::source_path("tests/render/bad_site.py"), folder_.file("log"),
        std::to_string(port_), std::to_string(support::free_port())});
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  void TearDown() override {
    if (site_ == nullptr) return;
    // Profiles would be there.
    EXPECT_TRUE(std::filesystem::is_empty(folder_.file("tmp")));
    EXPECT_THAT(log(), Not(Contains(StartsWith("canary"))));
    EXPECT_THAT(log(), Not(Contains("huge was read whole")));
  }

  std::string url(const std::string& path) const {
    return fmt::format("http://127.0.0.1:{}{}", port_, path);
  }
  std::vector<std::string> log() const {
    return support::lines_of(support::file_content(folder_.file("log")));
  }
  std::string records() const { return folder_.file("records.jsonl"); }

  std::unique_ptr<CommandRun> crawl(std::uint64_t pages, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"crawl",
                                      "--no-proxy",
                                      "--render",
                                      "always",
                                      "-o",
                                      records(),
                                      url(fmt::format("/?pages={}", pages))};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<CommandRun>(
        words, CommandRun::Streams(),
        CommandRun::Surroundings{.environment = {"TMPDIR=" + folder_.file("tmp")}});
  }

  // The processes of browsers that this test started, also if their parents ended.
  static std::vector<pid_t> browsers() {
    std::vector<pid_t> found = support::descendants_of(getpid());
    std::erase_if(found, [](pid_t process) { return !is_browser(process); });
    return found;
  }

  // Now and then, some pages lose their process, as on a machine without memory.
  void crawl_and_kill_pages() {
    constexpr std::size_t kRequestsBetween = 40;
    const auto run = crawl(kPagesPerCrawl);
    std::size_t killed_at = log().size();
    support::wait_until([&] {
      const std::size_t seen = log().size();
      if (seen >= killed_at + kRequestsBetween) {
        killed_at = seen;
        for (const pid_t process : browsers()) {
          const bool is_page = support::command_line_of(process).contains("--type=renderer");
          if (is_page && random_.chance(0.5)) kill(process, SIGKILL);
        }
      }
      return run->has_ended();
    });
    EXPECT_EQ(run->wait(), 0) << run->err();
  }

  void count_outcomes(std::map<std::string, int>& outcomes) const {
    std::map<std::string, int> times;
    std::uint64_t found = 0;
    for (const std::string& line : support::lines_of(support::file_content(records()))) {
      const auto record = nlohmann::json::parse(line);
      const std::string page = record.at("url");
      EXPECT_EQ(++times[page], 1) << page;
      if (page.starts_with(url("/found/"))) ++found;
      if (!record.contains("rendered") || record["rendered"].is_null()) continue;
      const auto& rendered = record["rendered"];
      ++outcomes[rendered["error"].is_null() ? "rendered" : rendered["error"]];
      EXPECT_LE(rendered["requests"], 5000) << page;
    }
    EXPECT_EQ(found, kPagesPerCrawl) << "a page was lost";
    EXPECT_EQ(times.count(url("/made")), 1U);
  }

  support::OrphanKeeper orphans_;
  support::TestFolder folder_;
  std::uint16_t port_ = 0;
  std::unique_ptr<support::Program> site_;
  base::Random random_{4711};
};

TEST_F(BadPagesTest, AllEndAndHaveOneRecordEach) {
  const int crawls = support::is_long_suite() ? 20 : 1;
  std::map<std::string, int> outcomes;
  for (int i = 0; i < crawls; ++i) {
    crawl_and_kill_pages();
    count_outcomes(outcomes);
    EXPECT_TRUE(support::wait_until([] { return browsers().empty(); }));
  }
  for (const auto& [outcome, count] : outcomes) fmt::print("{}: {}\n", outcome, count);
  EXPECT_GT(outcomes["rendered"], crawls * static_cast<int>(kPagesPerCrawl) / 2);
}

TEST_F(BadPagesTest, NoBrowserOutlivesAKilledCrawl) {
  const int kills = support::is_long_suite() ? 50 : 5;
  std::chrono::nanoseconds longest{0};
  for (int i = 0; i < kills; ++i) {
    const auto run = crawl(40);
    // A moment is some number of processes, or of requests.
    const std::size_t processes = random_.below(9);
    const std::size_t requests = log().size() + 1 + random_.below(60);
    const bool is_by_processes = random_.chance(0.5);
    support::wait_until([&] {
      return run->has_ended() ||
             (is_by_processes ? browsers().size() >= processes : log().size() >= requests);
    });
    run->send_signal(SIGKILL);
    run->wait();
    const auto killed = std::chrono::steady_clock::now();
    EXPECT_TRUE(support::wait_until([] { return browsers().empty(); }));
    longest =
        std::max<std::chrono::nanoseconds>(longest, std::chrono::steady_clock::now() - killed);
  }
  fmt::print("{} kills; the last browser ended after {} ms at most\n", kills,
             std::chrono::duration_cast<std::chrono::milliseconds>(longest).count());
}

TEST_F(BadPagesTest, APausedCrawlHasNoBrowser) {
  const std::string socket = folder_.file("socket");
  const auto run = crawl(200, {"--control", socket});
  EXPECT_TRUE(support::wait_until([] { return !browsers().empty(); }));
  const auto top = [&](const std::string& word) {
    return CommandRun({"top", socket, word}).wait();
  };
  ASSERT_EQ(top("pause"), 0);
  EXPECT_TRUE(support::wait_until([] { return browsers().empty(); }));
  EXPECT_FALSE(run->has_ended());
  ASSERT_EQ(top("resume"), 0);
  EXPECT_TRUE(support::wait_until([] { return !browsers().empty(); }));
  run->send_signal(SIGTERM);
  run->wait();
  EXPECT_TRUE(support::wait_until([] { return browsers().empty(); }));
}

TEST_F(BadPagesTest, AServerOfRenderedPagesHasNoBrowser) {
  const std::string job = folder_.file("job");
  CommandRun crawl(
      {"crawl", "--no-proxy", "--render", "always", "--depth", "0", "-j", job, url("/good/1")});
  EXPECT_EQ(crawl.wait(), 0) << crawl.err();
  EXPECT_TRUE(support::wait_until([] { return browsers().empty(); }));
  CommandRun server({"serve", job, "--new", folder_.file("tmp")});
  std::size_t most = 0;
  const auto watch = [&](auto is_over) {
    return support::wait_until([&] {
      most = std::max(most, browsers().size());
      return is_over();
    });
  };
  EXPECT_TRUE(watch([&] { return !server.out_lines().empty(); })) << server.err();
  int looks = 0;
  EXPECT_TRUE(watch([&] { return ++looks > 100; }));
  EXPECT_EQ(most, 0U);
  server.send_signal(SIGTERM);
  server.wait();
}

TEST_F(BadPagesTest, ABrowserStartsWithTheFirstPageThatNeedsIt) {
  CommandRun run({"crawl", "--no-proxy", "--render", "auto", "-o", records(), url("/text")});
  std::size_t most = 0;
  while (!run.has_ended()) most = std::max(most, browsers().size());
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(most, 0U);
}

}  // namespace
}  // namespace gossamer::render
