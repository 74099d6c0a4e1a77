// A thousand chats, each in a world of its own. One seed is replayed by GOSSAMER_SEED=<seed>, and
// GOSSAMER_SEEDS=<count> runs more or fewer of them.

#include "sim/chat.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/random.h"
#include "sim/cancellation_points.h"
#include "sim/world.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;

std::optional<std::uint64_t> number_from_environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  const std::string_view text = value;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    ADD_FAILURE() << name << " is not a number: " << text;
    return std::nullopt;
  }
  return number;
}

struct Seeds {
  std::uint64_t first;
  std::uint64_t count;
};

Seeds seeds_to_run() {
  if (const auto seed = number_from_environment("GOSSAMER_SEED")) return {*seed, 1};
  return {1, number_from_environment("GOSSAMER_SEEDS").value_or(kSeeds)};
}

// The chat of one seed, and how to see it again.
ChatReport run_and_expect_no_problems(const SimOptions& options) {
  ChatReport report = run_chat(options);
  EXPECT_TRUE(report.problems.empty())
      << describe(report) << describe(options) << "again: GOSSAMER_SEED=" << options.seed;
  return report;
}

TEST(Chat, EveryByteAndEveryLineIsAccountedForInEveryWorld) {
  const auto [first, count] = seeds_to_run();
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
  const auto [first, count] = seeds_to_run();
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
  const auto [first, count] = seeds_to_run();
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
