// Tests a thousand chats, each in its own world.

#include "examples/chat/chat.h"

#include <gtest/gtest.h>
#include <tests/support/seeds.h>

#include <cstdint>

#include "base/random.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;

// The chat of one seed, and how to see it again.
ChatReport run_and_expect_no_problems(const SimOptions& options) {
  ChatReport report = run_chat(options);
  EXPECT_TRUE(report.problems.empty())
      << describe(report) << describe(options) << "again: GOSSAMER_SEED=" << options.seed;
  return report;
}

TEST(Chat, EveryByteAndEveryLineIsAccountedForInEveryWorld) {
  const auto [first, count] = seeds_to_run(kSeeds);
  std::uint64_t clients = 0;
  std::uint64_t clients_hit = 0;
  Ledger ledger;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ChatReport report = run_and_expect_no_problems(draw_options(seed));
    if (HasFailure()) return;
    clients += report.clients;
    clients_hit += report.clients_hit;
    ledger += report.ledger;
  }
  if (count < 100) return;
  // The storms have to be storms, or this test says nothing.
  EXPECT_GT(clients_hit, clients / 10) << clients;
  EXPECT_LT(clients_hit, clients / 2) << clients;
  EXPECT_GT(ledger.lost_in_reset, 0u);
  EXPECT_GT(ledger.swallowed, 0u);
  EXPECT_GT(ledger.unread, 0u);
}

TEST(Chat, TheSameSeedGivesTheSameRun) {
  const auto [first, count] = seeds_to_run(kSeeds);
  for (std::uint64_t seed = first; seed < first + count; seed += 10) {
    const ChatReport once = run_chat(seed);
    const ChatReport again = run_chat(seed);
    ASSERT_EQ(once.trace_hash, again.trace_hash) << describe(once) << describe(again);
    ASSERT_EQ(once.trace_size, again.trace_size) << describe(once) << describe(again);
    ASSERT_EQ(once.virtual_time, again.virtual_time) << describe(once) << describe(again);
  }
}

TEST(Chat, EverybodyHearsEverythingInACalmWorld) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const ChatReport report = run_and_expect_no_problems(calm_options(seed));
    EXPECT_EQ(report.clients_hit, 0u);
    EXPECT_EQ(report.ledger.lost_in_reset + report.ledger.swallowed, 0u);
  }
}

// A chat with the people in it, as one task that owns both.
async::Task<Result<void>> chat_of(std::uint64_t seed) {
  Chat chat(seed);
  co_return co_await chat.run();
}

TEST(Chat, CanBeCancelledAtAnyStep) {
  const auto [first, count] = seeds_to_run(kSeeds);
  for (std::uint64_t seed = first; seed < first + count; seed += 5) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SimOptions options = draw_options(seed);
    const auto make_task = [seed] { return chat_of(seed); };
    const std::uint64_t steps = run_tortured(make_task, options, {}).steps;
    base::Random random = base::Random(seed).fork("cancellation");
    run_tortured(make_task, options, {.cancel_at_step = random.below(steps)});
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace gossamer::sim
