#include "tests/simulated/sim_driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/file.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/timeout.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

using async::Endpoint;
using async::Listener;
using async::Socket;
using async::Task;

const Endpoint kListener = Endpoint::v4(10, 0, 0, 1, 80);

Task<Result<void>> sleep_an_hour() { co_return co_await async::sleep(1h); }

// Sends back what it receives, to one client.
Task<Result<void>> echo_once(Listener listener) {
  auto socket = co_await listener.accept();
  if (!socket) co_return fail(std::move(socket).error());
  for (;;) {
    auto lent = co_await socket->receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return {};
    auto sent = co_await socket->send(lent->bytes());
    if (!sent) co_return fail(std::move(sent).error());
  }
}

Task<Result<std::string>> ask(std::string question) {
  auto socket = co_await Socket::connect(kListener);
  if (!socket) co_return fail(std::move(socket).error());
  auto sent = co_await socket->send(as_bytes(question));
  if (!sent) co_return fail(std::move(sent).error());
  auto shut = co_await socket->shutdown();
  if (!shut) co_return fail(std::move(shut).error());
  std::string answer;
  for (;;) {
    auto lent = co_await socket->receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return answer;
    answer += as_text(lent->bytes());
  }
}

Task<Result<std::string>> ask_an_echo(std::string question) {
  auto listener = Listener::bind(kListener);
  if (!listener) co_return fail(std::move(listener).error());
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(echo_once(std::move(*listener)));
  auto answer = co_await async::with_timeout(60s, ask(std::move(question)));
  scope.cancel();
  auto joined = co_await scope.join();
  if (!joined) co_return fail(std::move(joined).error());
  co_return answer;
}

struct Ending {
  std::uint64_t trace_hash;
  std::uint64_t trace_size;
  Instant end;
};

Ending run_in(std::uint64_t seed) {
  World world(seed);
  static_cast<void>(world.run(ask_an_echo(std::string(5000, 'x'))));
  EXPECT_TRUE(world.driver().ledger().balanced());
  return {world.driver().trace_hash(), world.driver().trace_size(), world.loop().now()};
}

TEST(SimDriver, TheClockJumpsToTheNextTimer) {
  World world = World::calm();
  const Instant begin = world.loop().now();
  EXPECT_TRUE(world.run(sleep_an_hour()));
  EXPECT_EQ(world.loop().now() - begin, 1h);
}

TEST(SimDriver, BytesComeBackAsTheyWereSent) {
  World world = World::calm();
  const auto answer = world.run(ask_an_echo("hello"));
  ASSERT_TRUE(answer) << answer.error().to_string();
  EXPECT_EQ(*answer, "hello");
  // Two delays to connect, one there, one back.
  EXPECT_EQ(world.loop().now().time_since_epoch(), 4 * 100us);
}

TEST(SimDriver, TheSameSeedGivesTheSameTrace) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Ending first = run_in(seed);
    const Ending second = run_in(seed);
    EXPECT_EQ(first.trace_hash, second.trace_hash) << "seed " << seed;
    EXPECT_EQ(first.trace_size, second.trace_size) << "seed " << seed;
    EXPECT_EQ(first.end, second.end) << "seed " << seed;
  }
}

TEST(SimDriver, AnotherSeedGivesAnotherTrace) {
  EXPECT_NE(run_in(1).trace_hash, run_in(2).trace_hash);
}

TEST(SimDriver, ACalmWorldHasNoFaults) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    World world = World::calm(seed);
    const auto answer = world.run(ask_an_echo(std::string(100'000, 'x')));
    ASSERT_TRUE(answer) << answer.error().to_string();
    EXPECT_EQ(answer->size(), 100'000u);
    const Ledger ledger = world.driver().ledger();
    EXPECT_EQ(ledger.sent, 200'000u);
    EXPECT_EQ(ledger.received, 200'000u);
  }
}

TEST(SimDriver, TheTextOfATraceHasItsLastLines) {
  SimOptions options;
  options.trace_lines_max = 3;
  World world(options);
  ASSERT_TRUE(world.run(ask_an_echo("hello")));
  const std::string text = world.driver().trace_text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_NE(text.find("closed"), std::string::npos) << text;
  EXPECT_GT(world.driver().trace_size(), 3u);
}

Task<Result<void>> spend(SimDriver* driver, Duration duration) {
  driver->advance(duration);
  co_return Result<void>();
}

TEST(SimDriver, AStepThatSpendsTimeIsReportedAsSlow) {
  World world(calm_options(), nullptr, {.slow_step = 50ms});
  std::vector<std::string> reports;
  world.loop().on_slow_step([&](std::string_view text) { reports.emplace_back(text); });
  ASSERT_TRUE(world.run(spend(&world.driver(), 49ms)));
  EXPECT_TRUE(reports.empty());
  ASSERT_TRUE(world.run(spend(&world.driver(), 50ms)));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].find("50 ms"), std::string::npos) << reports[0];
}

TEST(SimDriver, PollSaysWhenNothingCanEverHappen) {
  SimDriver driver;
  EXPECT_FALSE(driver.poll(base::kNever));
  EXPECT_TRUE(driver.poll(Instant(5s)));
  EXPECT_EQ(driver.now(), Instant(5s));
  EXPECT_TRUE(driver.poll(Instant::min()));
  EXPECT_EQ(driver.now(), Instant(5s));
}

class Posted final : public async::Ready {
 public:
  void run() noexcept override {}
};

TEST(SimDriver, AnItemThatWasPostedKeepsTheClockFromJumping) {
  SimDriver driver;
  Posted item;
  driver.post(item);
  EXPECT_TRUE(driver.poll(Instant(5s)));
  EXPECT_EQ(driver.now(), Instant());
}

TEST(SimDriver, TheNthOperationFailsWithTheGivenError) {
  // connect, accept, receive, send: whichever it is, there is no echo.
  for (std::uint64_t n = 1; n <= 4; ++n) {
    World world = World::calm();
    world.driver().fail_operation(n, EIO);
    const auto answer = world.run(ask_an_echo("hello"));
    EXPECT_GE(world.driver().operations_started(), n);
    EXPECT_FALSE(answer && *answer == "hello") << n;
  }
  World world = World::calm();
  world.driver().fail_operation(100, EIO);
  EXPECT_TRUE(world.run(ask_an_echo("hello")));
}

class WatchDescriptor final : public async::WatchOperation {
 public:
  using WatchOperation::WatchOperation;
  Result<std::int64_t> await_resume() { return outcome("watch"); }
};

Task<Result<std::int64_t>> watch(async::Driver* driver) {
  co_return co_await WatchDescriptor(*driver, 0, async::Readiness::readable);
}

TEST(SimDriver, ForeignDescriptorsCannotBeWatched) {
  World world = World::calm();
  const auto watched = world.run(watch(&world.driver()));
  ASSERT_FALSE(watched);
  EXPECT_EQ(watched.error(), Errc::unsupported);
}

Task<Result<void>> accept_for_ever() {
  auto listener = Listener::bind(kListener);
  if (!listener) co_return fail(std::move(listener).error());
  auto socket = co_await listener->accept();
  if (!socket) co_return fail(std::move(socket).error());
  co_return {};
}

TEST(SimDriver, ATimeoutFiresAtItsVirtualTimeExactly) {
  World world = World::calm();
  const auto result = world.run([]() -> Task<Result<void>> {
    co_return co_await async::with_timeout(7s, accept_for_ever());
  }());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), Errc::timed_out);
  EXPECT_EQ(world.loop().now(), Instant(7s));
  EXPECT_EQ(world.driver().sockets_open(), 0u);
}

TEST(SimDriver, ACancelledOperationMayContinueForAWhile) {
  SimOptions options;
  options.network.cancel_delay = {3ms, 3ms};
  World world(options);
  const auto result = world.run([]() -> Task<Result<void>> {
    co_return co_await async::with_timeout(7s, accept_for_ever());
  }());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), Errc::timed_out);
  EXPECT_EQ(world.loop().now(), Instant(7s + 3ms));
}

TEST(SimDriver, AnOperationThatIsQuickerThanItsCancellationKeepsItsResult) {
  SimOptions options;
  options.network.cancel_delay = {1s, 1s};
  options.network.delay = {10ms, 10ms};
  World world(options);
  const auto result = world.run([]() -> Task<Result<void>> {
    auto listener = Listener::bind(kListener);
    if (!listener) co_return fail(std::move(listener).error());
    // The reply arrives after 20 ms, the cancellation would take effect after 1.015 s.
    co_return co_await async::with_timeout(15ms, []() -> Task<Result<void>> {
      auto socket = co_await Socket::connect(kListener);
      if (!socket) co_return fail(std::move(socket).error());
      co_return {};
    }());
  }());
  EXPECT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(world.loop().now(), Instant(20ms));
}

TEST(SimDriver, WithoutPowerEveryOperationFails) {
  World world = World::calm();
  world.driver().power_off();
  const auto answer = world.run(ask("hello"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error(), Errc::io_failed);
}

}  // namespace
}  // namespace gossamer::sim
