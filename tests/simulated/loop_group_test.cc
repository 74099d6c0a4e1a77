#include "tests/simulated/loop_group.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "async/event.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

using async::Task;

const async::Endpoint kAddress = async::Endpoint::v4(10, 0, 0, 1, 80);

Task<Result<void>> note_time(Duration after, std::optional<Instant>& noted) {
  if (auto slept = co_await async::sleep(after); !slept) co_return slept;
  noted = async::Loop::current().now();
  co_return {};
}

// BORROWS: the scope.
Task<Result<void>> join(async::Scope& scope) { co_return co_await scope.join(); }

Task<void> sleep_for(Duration duration) { static_cast<void>(co_await async::sleep(duration)); }

TEST(LoopGroupTest, AllLoopsShareOneTime) {
  LoopGroup group(calm_options());
  async::Loop& one = group.add();
  async::Loop& other = group.add();
  std::optional<Instant> noted;
  const Instant begun = one.now();
  {
    async::Scope scope(other, async::OnFailure::keep_going);
    scope.spawn(note_time(2s, noted));
    group.run(one, sleep_for(3s));
    EXPECT_TRUE(group.run(other, join(scope)));
  }
  EXPECT_EQ(one.now(), begun + 3s);
  EXPECT_EQ(other.now(), one.now());
  EXPECT_EQ(noted, begun + 2s);
  EXPECT_EQ(group.live_tasks(), 0u);
}

TEST(LoopGroupTest, TimersOfAFrozenLoopAreLate) {
  LoopGroup group(calm_options());
  async::Loop& one = group.add();
  async::Loop& other = group.add();
  std::optional<Instant> noted;
  async::Scope scope(other, async::OnFailure::keep_going);
  scope.spawn(note_time(2s, noted));
  group.run(one, sleep_for(1s));
  group.freeze(other, true);
  group.run(one, sleep_for(10s));
  EXPECT_FALSE(noted);
  const Instant thawed = one.now();
  group.freeze(other, false);
  group.run(one, sleep_for(1s));
  EXPECT_EQ(noted, thawed);
  EXPECT_TRUE(group.run(other, join(scope)));
}

Task<Result<void>> answer_one() {
  auto listener = async::Listener::bind(kAddress);
  if (!listener) co_return fail(std::move(listener).error());
  auto socket = co_await listener->accept();
  if (!socket) co_return fail(std::move(socket).error());
  co_return co_await socket->send(as_bytes(std::string_view("hello")));
}

// BORROWS: both.
Task<Result<void>> hear_one(std::string& heard, async::Event& has_heard) {
  auto socket = co_await async::Socket::connect(kAddress);
  if (!socket) co_return fail(std::move(socket).error());
  auto lent = co_await socket->receive();
  if (!lent) co_return fail(std::move(lent).error());
  heard = as_text(lent->bytes());
  has_heard.set();
  co_return {};
}

// BORROWS: the event.
Task<void> wait_for(async::Event& event) { static_cast<void>(co_await event.wait()); }

TEST(LoopGroupTest, LoopsAreConnectedByOneNetwork) {
  LoopGroup group(calm_options());
  async::Loop& one = group.add();
  async::Loop& other = group.add();
  async::Scope serving(one, async::OnFailure::keep_going);
  serving.spawn(answer_one());
  std::string heard;
  async::Event has_heard;
  async::Scope hearing(other, async::OnFailure::keep_going);
  hearing.spawn(hear_one(heard, has_heard));
  // The event wakes a task of another loop.
  group.run(one, wait_for(has_heard));
  EXPECT_EQ(heard, "hello");
  EXPECT_TRUE(group.run(other, join(hearing)));
  EXPECT_TRUE(group.run(one, join(serving)));
}

}  // namespace
}  // namespace gossamer::sim
