// Tests crawl directories on several loops: the same guarantees with any number of threads. The
// server's log is the oracle.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "cli/command.h"
#include "tests/end_to_end/crawl_job_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAtOnce = 12;
const CommandRun::Surroundings kSiteServer = {.program = support::site_server_program()};

// Six hosts that link to each other, a directory, and processes that crawl the ones into the other.
class JobThreadsTest : public testing::Test {
 protected:
  JobThreadsTest() {
    // Large enough that a crawl which is killed so often is at work whenever it is.
    const std::string pages = std::to_string(std::max(260, kills_ * 5 / 2));
    site_ = {"--hosts", "6",       "--pages", pages,    "--seed", "5",
             "--plain", "--delay", "8ms",     "--port", port_};
    std::vector<std::string> words = site_;
    words.insert(words.end(), {"--log", folder_.file("requests.jsonl")});
    server_.emplace(words, CommandRun::Streams(), kSiteServer);
    support::wait_until([&] { return has(server_->out(), "serving"); });
  }

  std::string job() const { return folder_.file("job"); }
  std::vector<std::string> words(const std::string& threads, const std::string& results) const {
    std::vector<std::string> all = {"--threads", threads, "-o", results};
    for (int i = 1; i <= 6; ++i) all.push_back(fmt::format("http://127.0.0.{}:{}/", i, port_));
    return job_words(job(), kAtOnce, 4, std::move(all));
  }

  // Kills a process when it has got so many pages. False: it has come to its end before.
  bool kill_after(std::size_t pages, const std::string& threads) {
    const std::string results = folder_.file("results.jsonl");
    fs::remove(results);
    CommandRun process(words(threads, results));
    support::wait_until([&] {
      return process.has_ended() ||
             support::lines_of(support::file_content(results)).size() >= pages;
    });
    process.send_signal(SIGKILL);
    return process.wait() == -1;
  }

  void run_to_its_end(const std::string& threads) {
    CommandRun process(words(threads, "/dev/null"));
    EXPECT_EQ(process.wait(), kOk) << process.err();
  }

  // Every page of the truth is there, once, and nothing else.
  void expect_all() {
    CommandRun list({"job", "export", job(), "--jsonl", "-"});
    EXPECT_EQ(list.wait(), 0) << list.err();
    std::vector<std::string> compare = site_;
    compare.insert(compare.end(), {"--roots", "6", "--compare", "-"});
    CommandRun compared(compare, {.input = list.out()}, kSiteServer);
    EXPECT_EQ(compared.wait(), 0) << compared.out() << compared.err();
  }

  // Requests beyond the first for a page. The server ends.
  std::size_t repeats() {
    server_->send_signal(SIGTERM);
    EXPECT_EQ(server_->wait(), 0);
    std::map<std::string, std::size_t> times;
    for (const Json& request : records_in(folder_.file("requests.jsonl"))) {
      const std::string target = request["target"];
      if (target != "/robots.txt")
        ++times[normal("http://" + std::string(request["host"]) + target)];
    }
    EXPECT_GT(times.size(), 600u);
    return repeats_in(times);
  }

  const int kills_ = number_or("GOSSAMER_KILLS", support::cases_to_run(32));
  support::TestFolder folder_;
  const std::string port_ = std::to_string(support::free_port());
  std::vector<std::string> site_;
  std::optional<CommandRun> server_;
};

TEST_F(JobThreadsTest, KilledAgainAndAgainTwoLoopsLoseNothing) {
  base::Random random(44);
  std::size_t killed = 0;
  for (int i = 0; i < kills_; ++i) {
    if (kill_after(1 + random.below(16), "2")) ++killed;
    if (i % 8 == 7) expect_valid_archive_of(job(), true);
  }
  EXPECT_GE(killed, static_cast<std::size_t>(kills_) * 9 / 10)
      << "it was done too soon to show anything";
  run_to_its_end("2");
  expect_valid_archive_of(job(), false);
  expect_all();
  const std::size_t asked_again = repeats();
  fmt::print("{} kills, {} requests repeated\n", killed, asked_again);
  EXPECT_LE(asked_again, killed * kAtOnce);
  EXPECT_GT(asked_again, 0u) << "nothing was in flight";
}

TEST_F(JobThreadsTest, AnyNumberOfLoopsGoesOnWithWhatAnotherNumberLeft) {
  std::size_t killed = 0;
  for (const char* const threads : {"1", "2", "3", "1", "3"}) {
    if (kill_after(60, threads)) ++killed;
  }
  EXPECT_EQ(killed, 5u);
  run_to_its_end("3");
  expect_valid_archive_of(job(), false);
  expect_all();
  run_to_its_end("2");
  EXPECT_LE(repeats(), killed * kAtOnce);
}

}  // namespace
}  // namespace gossamer::cli
