#include "base/check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace gossamer::base {
namespace {

int evaluations = 0;

int noted(int value) {
  ++evaluations;
  return value;
}

TEST(Check, PassesQuietly) {
  CHECK(true);
  CHECK(1 + 1 == 2, "arithmetic is {}", "broken");
  CHECK_EQ(1, 1);
  CHECK_NE(1, 2);
  CHECK_LT(1, 2);
  CHECK_LE(2, 2);
  CHECK_GT(2, 1);
  CHECK_GE(2, 2);
}

TEST(Check, EvaluatesItsOperandsOnceAndItsMessageNever) {
  evaluations = 0;
  CHECK(noted(1) == 1, "{}", noted(2));
  EXPECT_EQ(evaluations, 1);
  CHECK_EQ(noted(3), noted(3));
  EXPECT_EQ(evaluations, 3);
}

TEST(Check, ComparesNumbersByValueWhateverTheirSigns) {
  const std::vector<int> items(3);
  CHECK_EQ(items.size(), 3);
  CHECK_GT(items.size(), -1);
  CHECK_LT(-1, std::size_t{0});
}

TEST(Check, ComparesOtherTypesWithTheirOwnOperators) {
  CHECK_EQ(std::string("a"), "a");
  CHECK_NE('a', 'b');
  CHECK_EQ(true, !false);
}

TEST(Check, IsAnExpression) {
  const int number = 4;
  const bool even = number % 2 == 0;
  even ? CHECK(number > 0) : CHECK(number < 0);
}

TEST(CheckDeathTest, NamesThePlaceAndTheExpression) {
  EXPECT_DEATH(CHECK(1 > 2), R"(check_test\.cc:[0-9]+: CHECK failed: 1 > 2)");
}

TEST(CheckDeathTest, ShowsTheMessage) {
  const int frames = 3;
  EXPECT_DEATH(CHECK(frames == 0, "{} frames of {}", frames, "loop"),
               "CHECK failed: frames == 0: 3 frames of loop");
}

TEST(CheckDeathTest, ShowsBothSidesOfAComparison) {
  const std::vector<int> items(3);
  EXPECT_DEATH(CHECK_EQ(items.size(), 4), R"(CHECK failed: items\.size\(\) == 4: 3 against 4)");
  EXPECT_DEATH(CHECK_LT(-1, -2), "CHECK failed: -1 < -2: -1 against -2");
}

TEST(CheckDeathTest, ShowsEnumsByTheirNumberAndOtherThingsNotAtAll) {
  enum class Colour { red, green };
  EXPECT_DEATH(CHECK_EQ(Colour::red, Colour::green), "0 against 1");
  EXPECT_DEATH(CHECK_EQ(std::vector<int>(1), std::vector<int>(2)),
               R"(\(not printable\) against \(not printable\))");
}

TEST(CheckDeathTest, PrintsTheRegisteredContext) {
  const auto print_stack = [](std::FILE* out) { std::fputs("awaited by crawl_once\n", out); };
  EXPECT_DEATH(
      {
        set_check_context(print_stack);
        CHECK(false);
      },
      "CHECK failed: false\nawaited by crawl_once");
}

TEST(CheckDeathTest, DoesNotRecurseWhenThePrinterFails) {
  const auto fail_again = [](std::FILE*) { CHECK(false, "in the printer"); };
  EXPECT_DEATH(
      {
        set_check_context(fail_again);
        CHECK(false, "at first");
      },
      "at first\n.*in the printer");
}

// The second thread's report goes through this pipe, so that the printer of the first knows when it
// has failed too. If the second aborted then, "done" would hardly ever be written.
int report_pipe[2];
int real_stderr;

void print_after_the_second_report(std::FILE*) {
  std::thread([] { CHECK(false, "second"); }).detach();
  std::string seen;
  char c = 0;
  while (!seen.ends_with("second\n") && read(report_pipe[0], &c, 1) == 1) seen += c;
  for (int i = 0; i < 10; ++i) std::this_thread::yield();
  dup2(real_stderr, STDERR_FILENO);
  std::fputs((seen + "done\n").c_str(), stderr);
}

void fail_in_two_threads() {
  ASSERT_EQ(pipe(report_pipe), 0);
  real_stderr = dup(STDERR_FILENO);
  dup2(report_pipe[1], STDERR_FILENO);
  set_check_context(print_after_the_second_report);
  CHECK(false, "first");
}

TEST(CheckDeathTest, LetsTheFirstThreadFinishItsReport) {
  EXPECT_DEATH(fail_in_two_threads(), "first\n.*second\ndone");
}

TEST(Check, HandsBackThePrinterThatItReplaces) {
  const CheckContextPrinter printer = [](std::FILE*) {};
  EXPECT_EQ(set_check_context(printer), nullptr);
  EXPECT_EQ(set_check_context(nullptr), printer);
}

#if GOSSAMER_DCHECKS
TEST(CheckDeathTest, IncludesDchecksInThisBuild) {
  EXPECT_DEATH(DCHECK(false, "level {}", 1), "CHECK failed: false: level 1");
}
#else
TEST(Check, DoesNotEvaluateDchecksInThisBuild) {
  evaluations = 0;
  DCHECK(noted(0) == 1, "never {}", noted(2));
  EXPECT_EQ(evaluations, 0);
}
#endif

}  // namespace
}  // namespace gossamer::base
