// Crawl directories: what is killed goes on, and loses nothing. The server's log is the oracle.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "crawl_run.h"
#include "store/kill_point.h"
#include "url/crawl_identity.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr std::size_t kAtOnce = 8;
// A sanitizer makes every start of the program slow, and the program is the same.
constexpr int kKills =
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    25;
#else
    100;
#endif

// As many as GOSSAMER_KILLS says, or that many.
int kills_or(int count) {
  const char* const wanted = std::getenv("GOSSAMER_KILLS");
  return wanted == nullptr ? count : std::atoi(wanted);
}

// What the servers' log is held against, spelled as the truth spells it.
std::string normal(const std::string& text) {
  static url::CrawlIdentity identity;
  const auto url = url::Url::parse(text);
  return url ? std::string(identity.normal_form(*url)) : text;
}

// A site, a directory, and processes that crawl the one into the other.
class JobTest : public testing::Test {
 protected:
  explicit JobTest(std::uint64_t pages = 300, Duration delay = 2ms)
      : server_(plain_site(pages, delay)) {}

  std::string job() const { return folder_.file("job"); }
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"-j",
                                    job(),
                                    "--no-progress",
                                    "-q",
                                    "--concurrency",
                                    std::to_string(kAtOnce),
                                    "--host-concurrency",
                                    std::to_string(kAtOnce),
                                    "-o",
                                    "/dev/null",
                                    server_.url("/")};
    all.insert(all.end(), more.begin(), more.end());
    return crawl_words(std::move(all));
  }

  // Runs it until its end. Gives its exit code.
  int run(std::vector<std::string> more = {}) {
    CommandRun process(words(std::move(more)));
    const int exit_code = process.wait();
    err_ = process.err();
    return exit_code;
  }

  std::size_t requests() { return requests_to(server_); }

  // Every page of the truth is there, with its status, and nothing else.
  void expect_all() {
    server_.stop();
    const site::Truth truth = server_.server().site().truth({});
    std::map<std::string, int> wanted;
    for (const site::TruthEntry& entry : truth.entries) {
      if (entry.must_fetch) wanted.emplace(entry.url, entry.status);
    }
    CommandRun list({"export", job(), "--jsonl", "-"});
    EXPECT_EQ(list.wait(), 0) << list.err();
    std::map<std::string, int> got;
    for (const std::string& line : list.out_lines()) {
      const Json record = Json::parse(line);
      got[normal(record["url"])] = record["status"].is_null() ? 0 : int{record["status"]};
    }
    EXPECT_EQ(got, wanted);
    const auto times = asked();
    for (const auto& [url, status] : wanted) {
      EXPECT_TRUE(times.contains(url)) << "never asked for: " << url;
    }
  }

  // How often each page was asked for. REQUIRES: the server was stopped.
  std::map<std::string, std::size_t> asked() {
    std::map<std::string, std::size_t> times;
    for (const site::LogEntry& entry : server_.server().server().log()) {
      if (entry.target != "/robots.txt") ++times[normal("http://" + entry.host + entry.target)];
    }
    return times;
  }

  std::size_t repeats() {
    std::size_t count = 0;
    for (const auto& [url, times] : asked()) count += times - 1;
    return count;
  }

  // What is closed is whole, always; `.open` is what the next process looks after.
  void expect_valid_archive(bool may_be_open = true) {
    std::vector<std::string> check = {"warc", "check"};
    if (!fs::exists(job() + "/archive")) return;
    for (const auto& entry : fs::directory_iterator(job() + "/archive")) {
      const std::string name = entry.path();
      if (name.ends_with(".warc.gz")) check.push_back(name);
      if (!may_be_open) EXPECT_FALSE(name.ends_with(".open")) << name;
    }
    if (check.size() == 2) return;
    CommandRun checked(check);
    EXPECT_EQ(checked.wait(), 0) << checked.out() << checked.err();
  }

  // The pages that the archive has, each record of a response counted.
  std::map<std::string, std::size_t> archived() {
    std::map<std::string, std::size_t> times;
    for (const auto& entry : fs::directory_iterator(job() + "/archive")) {
      CommandRun list({"warc", "ls", "--json", entry.path()});
      EXPECT_EQ(list.wait(), 0) << list.err();
      for (const std::string& line : list.out_lines()) {
        const Json record = Json::parse(line);
        if (record["type"] == "response" || record["type"] == "revisit") {
          ++times[normal(record["url"])];
        }
      }
    }
    return times;
  }

  TestFolder folder_;
  SiteThread server_;
  std::string err_;
};

class SlowSiteJobTest : public JobTest {
 protected:
  // Large enough that a crawl which is killed so often is at work whenever it is.
  SlowSiteJobTest() : JobTest(20 * kills_or(kKills), 10ms) {}
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

TEST_F(SlowSiteJobTest, KilledAHundredTimesItLosesNothing) {
  base::Random random(42);
  const int kills = kills_or(kKills);
  int killed = 0;
  for (int i = 0; i < kills; ++i) {
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
  EXPECT_GE(killed, kills * 9 / 10) << "it was done too soon to show anything";
  EXPECT_GT(repeats(), 0U) << "nothing was in flight";
  const auto records = archived();
  for (const auto& [url, times] : asked()) EXPECT_TRUE(records.contains(url)) << url;
}

TEST_F(JobTest, KilledAtEveryPointItLosesNothing) {
  for (const std::string_view point : store::kKillPoints) {
    for (const int times : {1, 2, 7}) {
      if (kKills < 100 && times == 2) continue;
      CommandRun process(words(), {},
                         {.environment = {fmt::format("GOSSAMER_KILL_AT={}:{}", point, times)}});
      // One that is never passed would show nothing.
      const int exit_code = process.wait();
      if (times == 1) EXPECT_EQ(exit_code, -1) << point << " was not passed";
      expect_valid_archive();
    }
  }
  EXPECT_EQ(run() & ~8, 0) << err_;
  expect_valid_archive(false);
  expect_all();
}

TEST_F(SlowSiteJobTest, AskedToStopAHundredTimesItRepeatsNothing) {
  base::Random random(43);
  const int stops = kills_or(kKills);
  int stopped = 0;
  for (int i = 0; i < stops; ++i) {
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
  EXPECT_GE(stopped, stops * 3 / 4) << "it was not asked to stop while it was at work";
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
  // Until the process has said it, or a while has passed.
  static void wait_for_word(const CommandRun& process, const std::string& word) {
    for (int i = 0; i < 2000 && !has(process.err(), word); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_THAT(process.err(), HasSubstr(word));
  }

 private:
  bool is_mounted_ = false;
};

TEST_F(FullDiskJobTest, WaitsForRoomAndGoesOn) {
  CommandRun process(words({"--disk-reserve", "1M"}));
  wait_for_word(process, "waiting for room");
  make_room();
  EXPECT_EQ(process.wait() & ~8, 0) << process.err();
  EXPECT_THAT(process.err(), HasSubstr("there is room again"));
  expect_valid_archive(false);
  expect_all();
  EXPECT_EQ(repeats(), 0U);
}

TEST_F(FullDiskJobTest, WithoutAnyRoomItWaitsToo) {
  CommandRun process(words({"--disk-reserve", "0"}));
  wait_for_word(process, "waiting for room");
  make_room();
  EXPECT_EQ(process.wait() & ~8, 0) << process.err();
  expect_valid_archive(false);
  expect_all();
  EXPECT_EQ(repeats(), 0U);
}

TEST_F(FullDiskJobTest, ToldToStopItStopsAndLosesNothing) {
  {
    CommandRun process(words({"--disk-reserve", "0"}));
    wait_for_word(process, "waiting for room");
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
  EXPECT_THAT(err_, HasSubstr("depth is new: 1"));
  EXPECT_THAT(err_, HasSubstr("gossamer resume"));
  EXPECT_EQ(run({"http://127.0.0.1:1/"}), 2);
  EXPECT_THAT(err_, HasSubstr("url was"));
  // How far it goes may be said anew.
  EXPECT_EQ(run({"--limit", "6"}), 0);
  EXPECT_EQ(requests(), 7U);  // and robots.txt
  EXPECT_EQ(run({"--limit", "6"}), 0);
  EXPECT_THAT(err_, HasSubstr("as many as --limit says"));
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
  CommandRun list({"export", job(), "--jsonl", "-"});
  EXPECT_EQ(list.wait(), 0);
  EXPECT_GT(list.out_lines().size(), 300U);
}

TEST_F(JobTest, ARefreshThatIsKilledGoesOn) {
  EXPECT_EQ(run() & ~8, 0) << err_;
  {
    CommandRun killed(words({"--refresh"}), {}, {.environment = {"GOSSAMER_KILL_AT=commit:15"}});
    EXPECT_EQ(killed.wait(), -1) << killed.err();
  }
  EXPECT_EQ(run() & ~8, 0) << err_;
  expect_all();
  for (const auto& [url, times] : asked()) {
    EXPECT_GE(times, 2U) << "not asked for again: " << url;
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

TEST_F(SlowSiteJobTest, HasOneWriterAndTellsReadersHowFarItIs) {
  CommandRun first(words());
  wait_for_requests(server_, 20);
  EXPECT_EQ(run(), 2);
  EXPECT_THAT(err_, HasSubstr("another process"));
  CommandRun status({"status", job(), "--json"});
  EXPECT_EQ(status.wait(), 0) << status.err();
  const Json said = Json::parse(status.out());
  EXPECT_EQ(said["state"], "running");
  EXPECT_GT(int{said["pages"]}, 0);
  first.send_signal(SIGKILL);
  first.wait();

  CommandRun killed({"status", job(), "--json"});
  EXPECT_EQ(killed.wait(), 0) << killed.err();
  EXPECT_EQ(Json::parse(killed.out())["state"], "interrupted");
  CommandRun list({"list", job(), "--state", "waiting"});
  EXPECT_EQ(list.wait(), 0);
  EXPECT_EQ(list.out_lines().size(), std::size_t{Json::parse(killed.out())["waiting"]});
  EXPECT_GT(list.out_lines().size(), 0U);
}

TEST_F(JobTest, ListsUrlsByStateReasonHostAndDepth) {
  EXPECT_EQ(run({"--depth", "2"}) & ~8, 0);
  CommandRun skipped({"list", job(), "--state", "skipped", "--reason", "too_deep"});
  EXPECT_EQ(skipped.wait(), 0);
  EXPECT_GT(skipped.out_lines().size(), 0U);
  for (const std::string& line : skipped.out_lines()) {
    EXPECT_EQ(Json::parse(line)["depth"], 3);
  }
  CommandRun first({"list", job(), "--state", "done", "--depth", "0"});
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(first.out_lines().size(), 1U);
  CommandRun nowhere({"list", job(), "--host", "elsewhere.example"});
  EXPECT_EQ(nowhere.wait(), 0);
  EXPECT_EQ(nowhere.out_lines().size(), 0U);
}

}  // namespace
}  // namespace gossamer::cli
