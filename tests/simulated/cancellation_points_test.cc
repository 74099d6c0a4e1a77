#include "tests/simulated/cancellation_points.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/file.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/timeout.h"

namespace gossamer::sim {
namespace {

using async::Endpoint;
using async::File;
using async::Listener;
using async::Scope;
using async::Socket;
using async::Task;

const Endpoint kPeer = Endpoint::v4(10, 0, 0, 1, 80);

Task<Result<void>> greet(Listener* listener) {
  auto socket = co_await listener->accept();
  if (!socket) co_return fail(std::move(socket).error());
  auto sent = co_await socket->send(as_bytes("hello"));
  if (!sent) co_return fail(std::move(sent).error());
  auto lent = co_await socket->receive();
  if (!lent) co_return fail(std::move(lent).error());
  co_return {};
}

Task<Result<void>> be_greeted() {
  auto socket = co_await Socket::connect(kPeer);
  if (!socket) co_return fail(std::move(socket).error());
  auto lent = co_await socket->receive();
  if (!lent) co_return fail(std::move(lent).error());
  co_return co_await socket->shutdown();
}

Task<Result<void>> meet() {
  auto listener = Listener::bind(kPeer);
  if (!listener) co_return fail(std::move(listener).error());
  Scope scope;
  scope.spawn(greet(&*listener));
  scope.spawn(be_greeted());
  co_return co_await scope.join();
}

Task<Result<void>> keep_a_journal() {
  auto file = co_await File::open("journal", async::OpenMode::read_write);
  if (!file) co_return fail(std::move(file).error());
  auto written = co_await file->write_all_at(0, as_bytes("line"));
  if (!written) co_return fail(std::move(written).error());
  auto slept = co_await async::sleep(1s);
  if (!slept) co_return slept;
  co_return co_await file->sync();
}

TEST(CancellationPoints, AWellBehavedTaskCanBeCutAnywhere) {
  EXPECT_GT(for_every_cancellation_point(&meet), 8u);
  EXPECT_GT(for_every_cancellation_point(&keep_a_journal), 4u);
}

TEST(CancellationPoints, CoverCancellationsThatTakeTime) {
  SimOptions options;
  options.network.deferred = 1;
  options.network.cancel_delay = {Duration::zero(), 500us};
  for (options.seed = 0; options.seed < 10; ++options.seed) {
    for_every_cancellation_point(&meet, options);
    for_every_cancellation_point(&keep_a_journal, options);
  }
}

TEST(CancellationPoints, AnyOperationMayFail) {
  EXPECT_GE(for_every_failing_operation(&meet, EIO), 6u);
  EXPECT_EQ(for_every_failing_operation(&keep_a_journal, ENOSPC), 3u);
}

Task<Result<void>> leave_a_socket_open(std::vector<Socket>* kept) {
  auto listener = Listener::bind(kPeer);
  if (!listener) co_return fail(std::move(listener).error());
  auto socket = co_await Socket::connect(kPeer);
  if (!socket) co_return fail(std::move(socket).error());
  kept->push_back(std::move(*socket));
  co_return {};
}

void run_what_leaks() {
  // Never destroyed, because the socket would be closed through a driver that no longer exists.
  static auto* const kept = new std::vector<Socket>;
  const auto make_task = [] { return leave_a_socket_open(kept); };
  run_tortured(make_task, {}, {});
}

TEST(CancellationPoints, ASocketThatIsLeftOpenIsFound) {
  EXPECT_NONFATAL_FAILURE(run_what_leaks(), "sockets_open");
}

Task<Result<void>> wait_whatever_happens(async::Event* event) {
  co_return co_await async::shielded(
      [](async::Event* never) -> Task<Result<void>> { co_return co_await never->wait(); }(event));
}

Task<Result<void>> wait_a_second_at_most() {
  async::Event event;
  Scope scope;
  auto timer = async::Loop::current().call_later(1s, [&] { event.set(); });
  scope.spawn(wait_whatever_happens(&event));
  auto joined = co_await scope.join();
  timer.cancel();
  co_return joined;
}

TEST(CancellationPoints, AShieldedWaitIsDrivenToItsEnd) {
  for_every_cancellation_point(&wait_a_second_at_most);
}

TEST(CancellationPointsDeathTest, ATaskThatIgnoresItsCancellationForEverIsNamed) {
  EXPECT_DEATH(for_every_cancellation_point([] {
                 return [](async::Event* event) -> Task<Result<void>> {
                   co_return co_await wait_whatever_happens(event);
                 }(new async::Event);
               }),
               "does not end");
}

}  // namespace
}  // namespace gossamer::sim
