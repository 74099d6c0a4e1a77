// For tests: cancels a task at every step.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "async/frame_pool.h"
#include "async/loop.h"
#include "async/scope.h"
#include "base/check.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {

struct Torture {
  static constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t cancel_at_step = kNowhere;
  std::uint64_t fail_operation = 0;  // the first is 1; 0 for none
  int error_number = 0;
};

struct TortureReport {
  std::uint64_t steps = 0;
  std::uint64_t operations = 0;
};

// A task that has not ended after this many steps of the loop never will.
inline constexpr std::uint64_t kTortureStepsMax = 10'000'000;

// Runs a new task on a new loop to its end, does to it what `torture` says, and expects that
// nothing is left of it: no operation, timer, frame, socket or buffer.
template <class MakeTask>
TortureReport run_tortured(MakeTask& make_task, const SimOptions& options, Torture torture) {
  const std::int64_t frames_before = async::FramePool::live();
  TortureReport report;
  {
    World world(options);
    if (torture.fail_operation > 0) {
      world.driver().fail_operation(torture.fail_operation, torture.error_number);
    }
    const async::Loop::Running running(world.loop());
    async::Scope root(world.loop(), async::OnFailure::keep_going);
    auto task = root.spawn(make_task());
    while (!task.done()) {
      if (report.steps == torture.cancel_at_step) task.cancel();
      CHECK(world.loop().step() && report.steps < kTortureStepsMax,
            "cancelled at step {}, the task does not end:\n{}", torture.cancel_at_step,
            world.loop().dump());
      ++report.steps;
    }
    report.operations = world.driver().operations_started();
    EXPECT_EQ(root.size(), 0u);
    EXPECT_EQ(world.driver().operations_in_flight(), 0u);
    EXPECT_EQ(world.loop().timers().size(), 0u);
    EXPECT_EQ(world.driver().sockets_open(), 0u) << world.driver().trace_text();
    EXPECT_EQ(world.driver().buffers_lent(), 0u);
    EXPECT_TRUE(world.driver().ledger().balanced()) << describe(world.driver().ledger());
  }
  EXPECT_EQ(async::FramePool::live(), frames_before);
  return report;
}

// Runs make_task() to its end and counts the steps of the loop. Then, for each k, runs a new one
// for k steps, cancels it, and runs it to its end, which must come and leave nothing behind. The
// result of the task does not matter. Returns the number of steps.
//
//   sim::for_every_cancellation_point([] { return talk_to_server(); });
//
// make_task runs with the loop current; its objects must not outlive the task. The sockets must be
// closed when it ends.
template <class MakeTask>
std::uint64_t for_every_cancellation_point(MakeTask make_task, const SimOptions& options = {}) {
  const std::uint64_t steps = run_tortured(make_task, options, {}).steps;
  for (std::uint64_t at = 0; at <= steps; ++at) {
    SCOPED_TRACE("cancelled at step " + std::to_string(at) + " of " + std::to_string(steps));
    run_tortured(make_task, options, {.cancel_at_step = at});
    if (testing::Test::HasFailure()) return steps;
  }
  return steps;
}

// The same for failures: the first operation fails with `error_number`, then the second, ...
// Returns the number of operations.
template <class MakeTask>
std::uint64_t for_every_failing_operation(MakeTask make_task, int error_number,
                                          const SimOptions& options = {}) {
  const std::uint64_t operations = run_tortured(make_task, options, {}).operations;
  for (std::uint64_t n = 1; n <= operations; ++n) {
    SCOPED_TRACE("operation " + std::to_string(n) + " of " + std::to_string(operations) + " fails");
    run_tortured(make_task, options, {.fail_operation = n, .error_number = error_number});
    if (testing::Test::HasFailure()) return operations;
  }
  return operations;
}

}  // namespace gossamer::sim
