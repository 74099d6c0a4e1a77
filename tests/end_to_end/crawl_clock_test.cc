// Tests clocks that are set during a crawl and between two runs: no pause becomes too long.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "crawl_run.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
namespace fs = std::filesystem;

constexpr std::uint64_t kPages = 40;

// Where faketime keeps what it puts in front of the C library; empty: nowhere.
std::string fake_clock() {
  for (const auto& folder : fs::directory_iterator("/usr/lib")) {
    const fs::path library = folder.path() / "faketime/libfaketime.so.1";
    if (fs::exists(library)) return library;
  }
  return {};
}

// The format of records, without fractions of seconds.
std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  std::array<char, 32> text;
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts)};
}

class CrawlClockTest : public testing::Test {
 protected:
  void SetUp() override {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "sanitizers want to be the first who are loaded";
#else
    if (fake_clock().empty()) GTEST_SKIP() << "faketime is not installed";
#endif
  }

  // What a process needs whose clock is so far off: "-1d", "+3y". Its steady clock is the real one.
  CommandRun::Surroundings clock_at(const std::string& offset) {
    set_clock(offset);
    return {.environment = {"LD_PRELOAD=" + fake_clock(), "FAKETIME_DONT_FAKE_MONOTONIC=1",
                            "FAKETIME_NO_CACHE=1", "FAKETIME_TIMESTAMP_FILE=" + clock_}};
  }
  void set_clock(const std::string& offset) const {
    folder_.write("next", offset + "\n");
    fs::rename(folder_.file("next"), clock_);
  }

  // One run of a job by a clock that is so far off. Gives its results.
  std::vector<Json> run(const std::string& offset, std::vector<std::string> more = {}) {
    std::vector<std::string> words =
        crawl_words({"-j", folder_.file("job"), "--format", "jsonl", "--delay", "20ms",
                     "--max-time", "5m", "--no-progress", server_.url("/")});
    words.insert(words.end(), more.begin(), more.end());
    CommandRun process(words, {}, clock_at(offset));
    EXPECT_EQ(process.wait(), 0) << process.err();
    std::vector<Json> records;
    for (const std::string& line : process.out_lines()) records.push_back(Json::parse(line));
    return records;
  }

  TestFolder folder_;
  const std::string clock_ = folder_.file("clock");
  SiteThread server_{plain_site(kPages, 5ms)};
};

TEST_F(CrawlClockTest, MayBeSetInTheMiddle) {
  const std::string before = utc_now();
  CommandRun process(crawl_words({"--no-progress", "--delay", "20ms", "--max-time", "5m",
                                  "--warc-file", folder_.file("a"), server_.url("/")}),
                     {}, clock_at("+0"));
  std::uint64_t requests = 0;
  for (const char* offset : {"-1d", "+1d", "-40y", "+9y"}) {
    wait_for_requests(server_, requests += 8);
    set_clock(offset);
  }
  EXPECT_EQ(process.wait(), 0) << process.err();
  std::vector<std::string> times;
  for (const std::string& line : process.out_lines()) {
    times.push_back(Json::parse(line)["ts"].get<std::string>());
  }
  ASSERT_EQ(times.size(), kPages);
  // The times of the requests are not affected by the change of the clock.
  const auto [first, last] = std::ranges::minmax(times);
  EXPECT_LE(before, first);
  EXPECT_GE(utc_now() + "~", last);
  CommandRun check({"warc", "check", folder_.file("a-00001.warc.gz")});
  EXPECT_EQ(check.wait(), 0) << check.out();
}

TEST_F(CrawlClockTest, MayBeSetBetweenTwoRuns) {
  std::size_t pages = 0;
  for (const char* offset : {"+0", "-2d", "+3y", "-30y"}) {
    pages += run(offset, {"--limit", std::to_string(pages + 10)}).size();
  }
  EXPECT_EQ(pages, kPages);
}

TEST_F(CrawlClockTest, SaysWhatIsOldEnoughToBeAskedForAgain) {
  EXPECT_EQ(run("+0").size(), kPages);
  EXPECT_EQ(run("+6d", {"--refresh", "--older-than", "7d"}).size(), 0U);
  EXPECT_EQ(run("+8d", {"--refresh", "--older-than", "7d"}).size(), kPages);
  // What is said to be of a day that has not come yet may be of any age.
  EXPECT_EQ(run("+0", {"--refresh", "--older-than", "7d"}).size(), kPages);
}

}  // namespace
}  // namespace gossamer::cli
