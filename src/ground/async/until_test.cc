#include "async/until.h"

#include <gtest/gtest.h>

#include "async/queue.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::async {
namespace {

Task<Result<Duration>> pop_until(Duration limit, Queue<int>& queue) {  // BORROWS: the queue
  Loop& loop = Loop::current();
  const Instant begun = loop.now();
  auto item = co_await until(begun + limit, [&] { return queue.pop(); });
  if (!item) co_return fail(std::move(item).error());
  co_return loop.now() - begun;
}

Task<Result<void>> push_after(Duration delay, Queue<int>& queue) {  // BORROWS: the queue
  if (auto slept = co_await sleep(delay); !slept) co_return slept;
  co_return co_await queue.push(1);
}

Task<Result<Duration>> race(Duration limit, Duration delay) {
  Queue<int> queue(1);
  Scope scope;
  auto popped = scope.spawn(pop_until(limit, queue));
  auto pushed = scope.spawn(push_after(delay, queue));
  auto took = co_await popped;
  pushed.cancel();
  auto joined = co_await scope.join();
  co_return took;
}

TEST(UntilTest, KeepsAResultThatIsQuicker) {
  auto world = sim::World::calm();
  const auto took = world.run(race(2s, 1s));
  ASSERT_TRUE(took);
  EXPECT_EQ(*took, 1s);
}

Task<Result<Duration>> time_out_of(Duration limit) {
  Queue<int> queue(1);
  Loop& loop = Loop::current();
  const Instant begun = loop.now();
  auto item = co_await until(begun + limit, [&] { return queue.pop(); });
  CHECK(!item);
  if (item.error() != Errc::timed_out) co_return fail(std::move(item).error());
  co_return loop.now() - begun;
}

TEST(UntilTest, EndsAtTheDeadlineAndSaysSo) {
  auto world = sim::World::calm();
  const auto took = world.run(time_out_of(3s));
  ASSERT_TRUE(took);
  EXPECT_EQ(*took, 3s);
}

Task<Result<Duration>> wait_again_after_the_deadline() {
  Queue<int> queue(1);
  Loop& loop = Loop::current();
  auto item = co_await until(loop.now() + 1s, [&] { return queue.pop(); });
  CHECK(!item);
  const Instant begun = loop.now();
  if (auto slept = co_await sleep(5s); !slept) co_return fail(std::move(slept).error());
  co_return loop.now() - begun;
}

TEST(UntilTest, ADeadlineThatPassedDoesNotCancelWhatComesAfter) {
  auto world = sim::World::calm();
  const auto slept = world.run(wait_again_after_the_deadline());
  ASSERT_TRUE(slept);
  EXPECT_EQ(*slept, 5s);
}

Task<Result<Duration>> cancelled_from_outside() {
  Queue<int> queue(1);
  co_return co_await with_timeout(1s, pop_until(10s, queue));
}

TEST(UntilTest, ACancellationFromOutsideReachesTheWait) {
  auto world = sim::World::calm();
  const Result<Duration> took = world.run(cancelled_from_outside());
  ASSERT_FALSE(took);
  EXPECT_TRUE(took.error() == Errc::timed_out);
  EXPECT_EQ(world.loop().timers().size(), 0u);
}

Task<Result<int>> finish_after(Duration time) {
  auto slept = co_await sleep(time);
  if (!slept) co_return fail(std::move(slept).error());
  co_return 7;
}

TEST(UntilTest, AResultThatComesAfterTheDeadlineIsKept) {
  auto world = sim::World::calm();
  const Result<int> number = world.run([]() -> Task<Result<int>> {
    co_return co_await until(Loop::current().now() + 1s, [] { return shielded(finish_after(2s)); });
  }());
  ASSERT_TRUE(number) << number.error().to_string();
  EXPECT_EQ(*number, 7);
}

TEST(UntilTest, CanBeCutAnywhere) {
  sim::for_every_cancellation_point([] { return race(2s, 1s); });
}

}  // namespace
}  // namespace gossamer::async
