// The main() of every test program.

#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

// What ctest is told to read as "skipped" (SKIP_RETURN_CODE): a test that could not run, because
// the machine has no test data or no io_uring, must not look like one that passed.
constexpr int kSkippedExitCode = 77;

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const int skipped = testing::UnitTest::GetInstance()->skipped_test_count();
  if (status != 0 || skipped == 0) return status;
  std::printf("%d of %d tests were skipped\n", skipped,
              testing::UnitTest::GetInstance()->test_to_run_count());
  return kSkippedExitCode;
}
