// Tests crawl directories: a killed crawl resumes and loses nothing. The server's log is the
// oracle.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "crawl_job_run.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class SlowSiteJobTest : public JobTest {
 protected:
  // Large enough that the crawl is not done before the last kill.
  SlowSiteJobTest() : JobTest(20 * kills(), 10ms) {}

  static int kills() { return number_or("GOSSAMER_KILLS", support::cases_to_run(100)); }
};

TEST_F(JobTest, ACrawlThatIsDoneHasNothingLeftToDo) {
  EXPECT_EQ(run() & ~8, 0) << err_;
  const std::size_t before = requests();
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(requests(), before);
  expect_valid_archive(false);
  expect_all();
  EXPECT_EQ(repeats(), 0U);
  const auto records = archived();
  for (const auto& [url, times] : asked()) EXPECT_EQ(records.count(url), 1U) << url;
}

TEST_F(SlowSiteJobTest, KilledManyTimesItLosesNothing) {
  base::Random random(42);
  int killed = 0;
  for (int i = 0; i < kills(); ++i) {
    const std::size_t before = requests();
    CommandRun process(words());
    if (i % 4 == 0) {  // perhaps while it begins
      std::this_thread::sleep_for(std::chrono::milliseconds(random.below(80)));
    } else {
      wait_for_requests(server_, before + 1 + random.below(10));
    }
    process.send_signal(SIGKILL);
    if (process.wait() == -1) ++killed;
    if (i % 10 == 0) expect_valid_archive();
  }
  EXPECT_EQ(run() & ~8, 0) << err_;
  expect_valid_archive(false);
  expect_all();
  EXPECT_LE(repeats(), static_cast<std::size_t>(killed) * kAtOnce);
  fmt::print("{} kills, {} requests repeated\n", killed, repeats());
  EXPECT_GE(killed, kills() * 9 / 10) << "it was done too soon to show anything";
  EXPECT_GT(repeats(), 0U) << "nothing was in flight";
  const auto records = archived();
  for (const auto& [url, times] : asked()) EXPECT_TRUE(records.contains(url)) << url;
}

TEST_F(SlowSiteJobTest, StoppedManyTimesItRepeatsNothing) {
  base::Random random(43);
  int stopped = 0;
  for (int i = 0; i < kills(); ++i) {
    const std::size_t before = requests();
    CommandRun process(words());
    const bool is_early = i % 4 == 0;  // perhaps before it listens to signals
    if (is_early) {
      std::this_thread::sleep_for(std::chrono::milliseconds(random.below(80)));
    } else {
      wait_for_requests(server_, before + 1 + random.below(8));
    }
    process.send_signal(i % 2 == 0 ? SIGTERM : SIGINT);
    const int exit_code = process.wait();
    EXPECT_TRUE(exit_code == 11 || (is_early && exit_code == -1)) << exit_code << process.err();
    if (exit_code == 11) ++stopped;
    if (i % 10 == 0) expect_valid_archive(exit_code == -1);
  }
  EXPECT_EQ(run() & ~8, 0) << err_;
  expect_valid_archive(false);
  expect_all();
  EXPECT_EQ(repeats(), 0U);
  EXPECT_GE(stopped, kills() * 3 / 4) << "it was not asked to stop while it was at work";
  const auto records = archived();
  for (const auto& [url, times] : asked()) EXPECT_EQ(records.count(url), 1U) << url;
}

// A directory on a disk that is too small for the crawl.
class FullDiskJobTest : public JobTest {
 protected:
  FullDiskJobTest() : JobTest(1500, 0ms) {}
  ~FullDiskJobTest() override {
    if (is_mounted_) umount2(disk().c_str(), MNT_DETACH);
  }

  void SetUp() override {
    fs::create_directory(disk());
    is_mounted_ = mount("tmpfs", disk().c_str(), "tmpfs", 0, "size=8m") == 0;
    if (!is_mounted_) GTEST_SKIP() << "no disk can be mounted here";
    fs::create_directory_symlink(disk() + "/job", job());
    fs::create_directory(disk() + "/job");
  }

  std::string disk() const { return folder_.file("disk"); }
  void make_room() {
    EXPECT_EQ(mount("tmpfs", disk().c_str(), "tmpfs", MS_REMOUNT, "size=200m"), 0);
  }
  static void wait_for_word(CommandRun& process, const std::string& word) {
    support::wait_until([&] { return process.has_ended() || has(process.err(), word); });
    EXPECT_THAT(process.err(), HasSubstr(word));
  }

 private:
  bool is_mounted_ = false;
};

TEST_F(FullDiskJobTest, WaitsForRoomAndGoesOn) {
  CommandRun process(words({"--disk-reserve", "1M"}));
  wait_for_word(process, "waiting for free space");
  make_room();
  EXPECT_EQ(process.wait() & ~8, 0) << process.err();
  EXPECT_THAT(process.err(), HasSubstr("the disk has free space again"));
  expect_valid_archive(false);
  expect_all();
  EXPECT_EQ(repeats(), 0U);
}

TEST_F(FullDiskJobTest, WithoutAnyRoomItWaitsToo) {
  CommandRun process(words({"--disk-reserve", "0"}));
  wait_for_word(process, "waiting for free space");
  make_room();
  EXPECT_EQ(process.wait() & ~8, 0) << process.err();
  expect_valid_archive(false);
  expect_all();
  EXPECT_EQ(repeats(), 0U);
}

TEST_F(FullDiskJobTest, ToldToStopItStopsAndLosesNothing) {
  {
    CommandRun process(words({"--disk-reserve", "0"}));
    wait_for_word(process, "waiting for free space");
    process.send_signal(SIGTERM);
    const int exit_code = process.wait();
    EXPECT_TRUE(exit_code == 11 || exit_code == 3) << exit_code << process.err();
  }
  make_room();
  EXPECT_EQ(run() & ~8, 0) << err_;
  expect_valid_archive(false);
  expect_all();
}

TEST_F(JobTest, OtherSettingsAreAQuestionAndNotAMixture) {
  EXPECT_EQ(run({"--limit", "5"}), 0);
  EXPECT_EQ(run({"--limit", "5", "--depth", "1"}), 2);
  EXPECT_EQ(err_,
            fmt::format("gossamer crawl: {0} was started with other settings: depth is new: 1. "
                        "Use `gossamer resume {0}` to continue with the old settings, "
                        "or --change-settings to use the new ones\n",
                        job()));
  EXPECT_EQ(run({"--limit", "5", "--scope", "page"}), 2);
  EXPECT_THAT(err_, HasSubstr("other settings: scope is new: "));
  EXPECT_EQ(run({"http://127.0.0.1:1/"}), 2);
  EXPECT_THAT(err_, HasSubstr("url was"));
  // How far it goes may be said anew.
  EXPECT_EQ(run({"--limit", "6"}), 0);
  EXPECT_EQ(requests(), 7U);  // and robots.txt
  EXPECT_EQ(run({"--limit", "6"}), 0);
  EXPECT_THAT(err_, HasSubstr("the number that --limit allows"));
  EXPECT_EQ(run({"--change-settings", "--order", "depth"}), 2);
  EXPECT_THAT(err_, HasSubstr("order"));
  EXPECT_EQ(run({"--change-settings", "--depth", "1"}) & ~8, 0);
}

TEST_F(JobTest, SaysThatAPasswordIsAnotherAndNotWhichOne) {
  EXPECT_EQ(run({"--limit", "1", "--user", "me:canary-one"}), 0);
  EXPECT_EQ(run({"--limit", "1", "--user", "me:canary-two"}), 2);
  EXPECT_THAT(err_, HasSubstr("user was"));
  EXPECT_FALSE(has(err_, "canary")) << err_;
}

// The scope follows a root to where it redirects, also if an earlier process found that out.
TEST_F(JobTest, GoesOnWhereItsRootRedirects) {
  support::ScriptedServerThread root(
      {{.bytes = kMissing},
       {.bytes = "HTTP/1.1 301 Moved\r\nLocation: " + server_.url("/") +
                 "\r\nContent-Length: 0\r\n\r\n"}});
  const std::vector<std::string> command =
      crawl_words({"-j", job(), "-q", "--no-progress", "-o", "/dev/null", root.url("/")});
  const auto crawl_on = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    CommandRun process(more);
    EXPECT_EQ(process.wait() & ~8, 0) << process.err();
  };
  crawl_on({"--limit", "3"});
  crawl_on({});
  CommandRun list({"job", "export", job(), "--jsonl", "-"});
  EXPECT_EQ(list.wait(), 0);
  EXPECT_GT(list.out_lines().size(), 300U);
}

// The same when the archive loses the redirect, and the next process dies before it has it again.
TEST_F(JobTest, GoesOnWhereItsRootRedirectedBeforeThePowerWasCut) {
  const std::string redirect =
      "HTTP/1.1 301 Moved\r\nLocation: " + server_.url("/") + "\r\nContent-Length: 0\r\n\r\n";
  // The second process waits for the redirect until it is killed.
  support::ScriptedServerThread root(
      {{.bytes = kMissing}, {.bytes = redirect}, {.delay = 60s}, {.bytes = redirect}});
  const std::vector<std::string> command =
      crawl_words({"-j", job(), "-q", "--no-progress", "-o", "/dev/null", root.url("/")});
  {
    std::vector<std::string> first = command;
    first.insert(first.end(), {"--limit", "3"});
    CommandRun process(first);
    EXPECT_EQ(process.wait() & ~8, 0) << process.err();
  }
  fs::remove_all(job() + "/archive");
  {
    CommandRun killed(command);
    support::wait_until([&root] {
      return root.ask([](http::ScriptedServer& server) { return server.requests.size(); }) >= 3;
    });
    killed.send_signal(SIGKILL);
    EXPECT_EQ(killed.wait(), -1) << killed.err();
  }
  CommandRun last(command);
  last.wait();
  CommandRun list({"job", "export", job(), "--jsonl", "-"});
  EXPECT_EQ(list.wait(), 0);
  EXPECT_GT(list.out_lines().size(), 300U) << last.err();
}

TEST_F(JobTest, ARefreshThatIsKilledGoesOn) {
  EXPECT_EQ(run() & ~8, 0) << err_;
  {
    const std::size_t before = requests();
    CommandRun killed(words({"--refresh"}));
    wait_for_requests(server_, before + 15);
    killed.send_signal(SIGKILL);
    EXPECT_EQ(killed.wait(), -1) << killed.err();
  }
  EXPECT_EQ(run() & ~8, 0) << err_;
  expect_all();
  for (const auto& [url, times] : asked()) {
    EXPECT_GE(times, 2U) << "not fetched again: " << url;
  }
  // Those in flight, and those that were queued together.
  EXPECT_LE(repeats(), asked().size() + kAtOnce + 8);
}

TEST_F(JobTest, ResumeGoesOnAsItWasBegun) {
  EXPECT_EQ(run({"--limit", "20"}), 0);
  CommandRun resumed({"resume", job(), "--", "--no-progress", "-q", "--limit", "100000"});
  EXPECT_EQ(resumed.wait() & ~8, 0) << resumed.err();
  expect_all();
  EXPECT_EQ(repeats(), 0U);
}

TEST_F(JobTest, ResumeKeepsTheSettingsOfTheJobWhateverFilesAreRead) {
  EXPECT_EQ(run({"--limit", "20", "--user-agent", "Stored/1"}), 0);
  CommandRun bare({"resume", job(), "--", "--no-config", "-q", "--limit", "30"});
  EXPECT_EQ(bare.wait() & ~8, 0) << bare.err();
  const std::string file = folder_.file("more.toml");
  std::ofstream(file) << "[check]\ndelay = \"1s\"\n[crawl]\nlimit = 40\n";
  CommandRun resumed({"resume", job(), "--", "--config", file, "-q"});
  EXPECT_EQ(resumed.wait() & ~8, 0) << resumed.err();
  server_.stop();
  EXPECT_EQ(asked().size(), 40U);
}

TEST_F(SlowSiteJobTest, HasOneWriterAndTellsReadersHowFarItIs) {
  CommandRun first(words());
  wait_for_requests(server_, 20);
  EXPECT_EQ(run(), 2);
  EXPECT_THAT(err_, HasSubstr("another process"));
  CommandRun status({"job", "status", job(), "--json"});
  EXPECT_EQ(status.wait(), 0) << status.err();
  const Json said = Json::parse(status.out());
  EXPECT_EQ(said["state"], "running");
  EXPECT_GT(int{said["pages"]}, 0);
  first.send_signal(SIGKILL);
  first.wait();

  CommandRun killed({"job", "status", job(), "--json"});
  EXPECT_EQ(killed.wait(), 0) << killed.err();
  EXPECT_EQ(Json::parse(killed.out())["state"], "interrupted");
  CommandRun list({"job", "list", job(), "--state", "waiting"});
  EXPECT_EQ(list.wait(), 0);
  EXPECT_EQ(list.out_lines().size(), std::size_t{Json::parse(killed.out())["waiting"]});
}

TEST_F(JobTest, ListsUrlsByStateReasonHostAndDepth) {
  EXPECT_EQ(run({"--depth", "2"}) & ~8, 0);
  CommandRun skipped({"job", "list", job(), "--state", "skipped", "--reason", "too_deep"});
  EXPECT_EQ(skipped.wait(), 0);
  EXPECT_GT(skipped.out_lines().size(), 0U);
  for (const std::string& line : skipped.out_lines()) {
    EXPECT_EQ(Json::parse(line)["depth"], 3);
  }
  CommandRun first({"job", "list", job(), "--state", "done", "--depth", "0"});
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(first.out_lines().size(), 1U);
  CommandRun nowhere({"job", "list", job(), "--host", "elsewhere.example"});
  EXPECT_EQ(nowhere.wait(), 0);
  EXPECT_EQ(nowhere.out_lines().size(), 0U);
}

}  // namespace
}  // namespace gossamer::cli
