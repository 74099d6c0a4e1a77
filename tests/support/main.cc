// The main() of every test program. With --plain-processor, its tests run as on a processor with
// only the baseline instructions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>

#include "base/processor.h"

namespace {

// What ctest is told to read as "skipped" (SKIP_RETURN_CODE): a test that could not run, because
// the machine has no test data or no io_uring, must not look like one that passed.
constexpr int kSkippedExitCode = 77;

void print_skipped() {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::printf("%d of %d tests were skipped:\n", all.skipped_test_count(), all.test_to_run_count());
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (!test.result()->Skipped()) continue;
      std::printf("  %s.%s: %s\n", suite.name(), test.name(),
                  test.result()->GetTestPartResult(0).summary());
    }
  }
}

// False if code has read the processor's features before main() and keeps using them.
bool take_processor_for_plain() {
  gossamer::base::is_taken_for_plain = true;
  return !gossamer::base::has_avx2();
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  for (const char* const argument : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (std::string_view(argument) != "--plain-processor" || !take_processor_for_plain()) {
      std::fprintf(stderr, "%s: unknown, or too late\n", argument);
      return 2;
    }
  }
  const int status = RUN_ALL_TESTS();
  const int skipped = testing::UnitTest::GetInstance()->skipped_test_count();
  if (status != 0 || skipped == 0) return status;
  print_skipped();
  return kSkippedExitCode;
}
