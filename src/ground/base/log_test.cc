#include "base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/time.h"

namespace gossamer::base {
namespace {

class RecordingSink : public LogSink {
 public:
  void write(LogLevel level, std::string_view line) noexcept override {
    levels.push_back(level);
    lines.emplace_back(line);
  }

  std::vector<LogLevel> levels;
  std::vector<std::string> lines;
};

class Log : public testing::Test {
 public:
  Log() { set_log_sink(&sink_); }
  ~Log() override {
    set_log_sink(nullptr);
    set_log_clock(nullptr);
    set_log_level(level_before_);
  }

 protected:
  RecordingSink sink_;

 private:
  LogLevel level_before_ = log_level();
};

using Lines = std::vector<std::string>;

TEST_F(Log, WritesOneLinePerRecord) {
  LOG(info, "fetched {} pages from {}", 3, "a.example");
  LOG(error, "disk full");
  EXPECT_EQ(sink_.lines, (Lines{"info: fetched 3 pages from a.example\n", "error: disk full\n"}));
  EXPECT_EQ(sink_.levels, (std::vector{LogLevel::info, LogLevel::error}));
}

TEST_F(Log, StartsAtInfo) {
  EXPECT_EQ(log_level(), LogLevel::info);
  LOG(debug, "hidden");
  EXPECT_TRUE(sink_.lines.empty());
}

TEST_F(Log, WritesTheLevelsUpToTheOneThatIsSet) {
  set_log_level(LogLevel::warn);
  LOG(error, "1");
  LOG(warn, "2");
  LOG(info, "3");
  set_log_level(LogLevel::trace);
  LOG(debug, "4");
  LOG(trace, "5");
  EXPECT_EQ(sink_.lines, (Lines{"error: 1\n", "warn: 2\n", "debug: 4\n", "trace: 5\n"}));
}

TEST_F(Log, DoesNotEvaluateTheArgumentsOfALevelThatIsOff) {
  int evaluated = 0;
  LOG(trace, "{}", ++evaluated);
  EXPECT_EQ(evaluated, 0);
}

TEST_F(Log, StampsRecordsWithTheInjectedTime) {
  set_log_clock(
      []() noexcept { return WallTime{.seconds = 951'827'696, .nanoseconds = 7'999'999}; });
  LOG(warn, "leap day");
  EXPECT_EQ(sink_.lines, (Lines{"2000-02-29T12:34:56.007Z warn: leap day\n"}));
}

TEST_F(Log, CannotBeForgedByHostileText) {
  LOG(info, "title: {}", "nice\nerror: disk full\x1b[2J\xc2\x9b\xe2\x80\xae");
  EXPECT_EQ(sink_.lines,
            (Lines{"info: title: nice\\x0aerror: disk full\\x1b[2J\\u{9b}\\u{202e}\n"}));
}

TEST_F(Log, CutsAMessageThatIsTooLong) {
  LOG(info, "{}", std::string(kLogMessageBytesMax, 'x'));
  LOG(info, "{}", std::string(kLogMessageBytesMax + 5, 'x'));
  ASSERT_EQ(sink_.lines.size(), 2u);
  EXPECT_EQ(sink_.lines[0], "info: " + std::string(kLogMessageBytesMax, 'x') + "\n");
  EXPECT_EQ(sink_.lines[1],
            "info: " + std::string(kLogMessageBytesMax, 'x') + "... (5 bytes more)\n");
}

TEST_F(Log, DoesNotCutThroughACharacter) {
  LOG(info, "{}\xe2\x82\xac", std::string(kLogMessageBytesMax - 1, 'x'));
  ASSERT_EQ(sink_.lines.size(), 1u);
  EXPECT_EQ(sink_.lines[0],
            "info: " + std::string(kLogMessageBytesMax - 1, 'x') + "... (3 bytes more)\n");
}

TEST_F(Log, HandsBackTheSinkThatItReplaces) {
  RecordingSink other;
  EXPECT_EQ(set_log_sink(&other), &sink_);
  LOG(info, "to the other");
  EXPECT_EQ(set_log_sink(&sink_), &other);
  EXPECT_TRUE(sink_.lines.empty());
  EXPECT_EQ(other.lines.size(), 1u);
}

TEST_F(Log, GoesToStderrWithoutASink) {
  set_log_sink(nullptr);
  testing::internal::CaptureStderr();
  LOG(info, "on stderr");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "info: on stderr\n");
}

TEST_F(Log, TakesRecordsFromManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kRecords = 200;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < kRecords; ++i) LOG(info, "{} {}", thread, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sink_.lines.size(), std::size_t{kThreads} * kRecords);
}

}  // namespace
}  // namespace gossamer::base
