// Tests what a resumed crawl remembers, and what a power cut may cost.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <memory>
#include <thread>

#include "base/random.h"
#include "crawl_job_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

// --- limits

TEST_F(JobTest, LimitsCountWhatAllProcessesOfAJobHaveAskedFor) {
  constexpr std::size_t kLimit = 60;
  std::size_t killed = 0;
  for (int i = 0; i < 6; ++i) {
    const std::size_t before = requests();
    CommandRun process(
        words({"--host-limit", std::to_string(kLimit), "--threads", i % 2 == 0 ? "1" : "2"}));
    wait_for_requests(server_, before + 6);
    process.send_signal(SIGKILL);
    if (process.wait() == -1) ++killed;
  }
  EXPECT_EQ(killed, 6u) << "it was done too soon to show anything";
  EXPECT_EQ(run({"--host-limit", std::to_string(kLimit)}) & ~8, 0) << err_;
  server_.stop();
  EXPECT_EQ(asked().size(), 1 + kLimit) << "the root, which does not count, and as many as may be";
}

// --- cookies

// A site that opens a session on its first page; the answer to its third page never comes.
std::vector<http::Scripted> session_site() {
  const std::string home = answer("<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>",
                                  "Set-Cookie: session=abc\r\nSet-Cookie: old=1; Max-Age=1000\r\n");
  const std::string first =
      answer("one", "Set-Cookie: old=; Max-Age=0\r\nSet-Cookie: page=one\r\n");
  return {{.bytes = kMissing}, {.bytes = home},         {.bytes = first},
          {.delay = 60s},      {.bytes = answer("ok")}, {.bytes = answer("ok")}};
}

class JobCookiesTest : public testing::Test {
 protected:
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"-j", folder_.file("job"), "-q", "--no-progress",
                                    "-o", "/dev/null",         "",   "--concurrency",
                                    "1"};
    all[6] = server_.url("/");
    all.insert(all.end(), more.begin(), more.end());
    return crawl_words(std::move(all));
  }
  // Until it hangs.
  void kill_in_the_middle() {
    CommandRun process(words());
    support::wait_until([this] {
      return server_.ask([](http::ScriptedServer& server) { return server.requests.size(); }) >= 4;
    });
    process.send_signal(SIGKILL);
    EXPECT_EQ(process.wait(), -1) << process.err();
  }
  void go_on(std::vector<std::string> more = {}) {
    CommandRun process(words(std::move(more)));
    EXPECT_EQ(process.wait(), 0) << process.err();
    server_.stop();
    ASSERT_EQ(server_.requests().size(), 6u);
  }

  support::TestFolder folder_;
  support::ScriptedServerThread server_{session_site()};
};

TEST_F(JobCookiesTest, AJobIsOneSession) {
  kill_in_the_middle();
  go_on();
  for (std::size_t i = 3; i < 6; ++i) {
    EXPECT_THAT(server_.requests()[i], HasSubstr("session=abc; page=one\r\n"));
    EXPECT_THAT(server_.requests()[i], Not(HasSubstr("old=")));
  }
  const auto others = fs::perms::group_all | fs::perms::others_all;
  EXPECT_EQ(fs::status(folder_.file("job/tables")).permissions() & others, fs::perms::none);
}

TEST_F(JobCookiesTest, AFileThatWasWrittenSinceKnowsBetter) {
  kill_in_the_middle();
  const std::string file = folder_.write(
      "cookies.txt", "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tnew\n");
  go_on({"--load-cookies", file});
  EXPECT_THAT(server_.requests()[4], HasSubstr("session=new; page=one\r\n"));
}

// --- power cuts

// After a kill the system still writes all that it was told; after a power cut some of that is
// missing. Nothing must depend on what is in the newest files, wherever they are cut: so there is
// no need to know what was synced.
class PowerCut {
 public:
  explicit PowerCut(std::uint64_t seed) : random_(seed) {}

  void strike(const std::string& job) {
    tear(newest(job + "/tables", ".log"));
    const fs::path archive = newest(job + "/archive", ".open");
    if (random_.below(8) == 0) {
      std::error_code ignored;
      fs::remove(archive, ignored);  // not even its name was on the disk
    } else {
      tear(archive);
    }
  }
  std::uint64_t bytes_lost() const { return bytes_lost_; }

 private:
  // The one with the greatest name; empty: there is none.
  static fs::path newest(const std::string& folder, const std::string& ending) {
    fs::path found;
    if (!fs::exists(folder)) return found;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().string().ends_with(ending)) found = std::max(found, entry.path());
    }
    return found;
  }

  // Removes the end or a block of it, or replaces it with old contents of the disk.
  void tear(const fs::path& file) {
    if (file.empty()) return;
    const std::uint64_t size = fs::file_size(file);
    // Mostly a little, sometimes all.
    const std::uint64_t lost_max =
        random_.below(3) == 0 ? size : std::min<std::uint64_t>(size, 20'000);
    const std::uint64_t lost = random_.below(lost_max + 1);
    bytes_lost_ += lost;
    const std::uint64_t kind = random_.below(3);
    if (kind == 0) return fs::resize_file(file, size - lost);
    std::string block(std::min<std::uint64_t>(lost, 4096), '\0');
    if (kind == 1) {
      fs::resize_file(file, size - lost);
      for (char& byte : block) byte = static_cast<char>(random_.below(256));
    }
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(static_cast<std::streamoff>(size - lost));
    out.write(block.data(), static_cast<std::streamsize>(block.size()));
  }

  base::Random random_;
  std::uint64_t bytes_lost_ = 0;
};

class PowerCutJobTest : public JobTest {
 protected:
  // Large enough that it is at work whenever the power is cut.
  PowerCutJobTest() : JobTest(20 * cuts(), 2ms) {}
  static int cuts() { return number_or("GOSSAMER_CUTS", support::cases_to_run(24)); }
};

TEST_F(PowerCutJobTest, NoPowerCutLosesAPage) {
  base::Random random(45);
  PowerCut power(46);
  int killed = 0;
  for (int i = 0; i < cuts(); ++i) {
    const std::size_t before = requests();
    CommandRun process(words({"--warc-max-size", "40K"}));
    wait_for_requests(server_, before + 1 + random.below(30));
    process.send_signal(SIGKILL);
    if (process.wait() == -1) ++killed;
    power.strike(job());
    expect_valid_archive();
  }
  EXPECT_EQ(run({"--warc-max-size", "40K"}) & ~8, 0) << err_;
  expect_valid_archive(false);
  expect_all();
  EXPECT_GE(killed, cuts() * 3 / 4) << "it was done too soon to show anything";
  EXPECT_GT(power.bytes_lost(), 0u);
  EXPECT_GT(repeats(), static_cast<std::size_t>(killed)) << "nothing was lost";
  const auto records = archived();
  for (const auto& [url, times] : asked()) EXPECT_TRUE(records.contains(url)) << url;
  fmt::print("{} power cuts, {} bytes lost, {} requests repeated\n", killed, power.bytes_lost(),
             repeats());
}

// --- more than fits into memory

class SpilledJobTest : public testing::Test {
 protected:
  static constexpr int kLists = 320;
  static constexpr int kLinks = 1000;

  void SetUp() override {
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    port_ = support::free_port();
    site_ = std::make_unique<support::Program>(std::vector<std::string>{
        support::kPython, support::source_path("tests/end_to_end/wide_site.py"),
        std::to_string(port_), std::to_string(kLists), std::to_string(kLinks)});
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  std::string job() const { return folder_.file("job"); }
  // All lists, and none of what they list.
  std::vector<std::string> words() const {
    return crawl_words({"-j", job(), "-q", "--no-progress", "-o", "/dev/null", "--archive", "none",
                        "--memory", "8M", "--limit", std::to_string(1 + kLists), "--concurrency",
                        "4", "--host-concurrency", "4",
                        "http://127.0.0.1:" + std::to_string(port_) + "/"});
  }
  Json status() const {
    CommandRun run({"job", "status", job(), "--json"});
    EXPECT_EQ(run.wait(), 0) << run.err();
    return Json::parse(run.out());
  }
  // The running process has an unnamed file in that directory.
  bool has_spilled() const {
    const std::vector<std::string> pid = support::lines_of(support::file_content(job() + "/lock"));
    if (pid.empty()) return false;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc/" + pid[0] + "/fd", error)) {
      const std::string file = fs::read_symlink(entry.path(), error);
      if (file.starts_with(job()) && file.ends_with(" (deleted)")) return true;
    }
    return false;
  }
  // False: it has ended before.
  bool wait_for_spill(CommandRun& process) const {
    bool spilled = false;
    support::wait_until([&] { return (spilled = has_spilled()) || process.has_ended(); });
    return spilled;
  }

  support::TestFolder folder_;
  std::uint16_t port_ = 0;
  std::unique_ptr<support::Program> site_;
};

TEST_F(SpilledJobTest, WhatWasSeenBeyondMemoryIsNeitherForgottenNorFoundTwice) {
  {
    CommandRun process(words());
    EXPECT_TRUE(wait_for_spill(process)) << process.err();
    process.send_signal(SIGKILL);
    EXPECT_EQ(process.wait(), -1) << "it was done too soon to show anything";
  }
  CommandRun process(words());
  EXPECT_TRUE(wait_for_spill(process));
  EXPECT_EQ(process.wait(), 0) << process.err();
  const Json said = status();
  EXPECT_EQ(said["pages"], 1 + kLists);
  EXPECT_EQ(said["waiting"], kLists * kLinks);
}

}  // namespace
}  // namespace gossamer::cli
