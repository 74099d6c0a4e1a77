// Cancels each kind of socket operation, on every driver and at every point.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/connected_pair.h>
#include <tests/support/driver_test.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/timeout.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

class SocketCancelTest : public DriverTest {};
ON_EVERY_DRIVER(SocketCancelTest);

Task<void> some_turns() {
  for (int i = 0; i < 200; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
}

TEST_P(SocketCancelTest, AnAcceptThatNobodyComesToEnds) {
  run([]() -> Task<void> {
    auto listener = Listener::bind(Endpoint::loopback(0));
    Scope scope;
    auto acceptor = scope.spawn(accept_one(*listener));
    co_await some_turns();
    acceptor.cancel();
    EXPECT_EQ((co_await acceptor).error(), Errc::cancelled);
    auto [client, server] =
        co_await gather(connect_to(listener->endpoint()), accept_one(*listener));
    EXPECT_TRUE(client.has_value() && server.has_value()) << "and the listener is as good as new";
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(SocketCancelTest, AReceiveEndsAndLosesNothing) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    for (int round = 0; round < 3; ++round) {
      Scope scope;
      auto receiver = scope.spawn(receive_text(pair->server, 1));
      co_await some_turns();
      receiver.cancel();
      EXPECT_EQ((co_await receiver).error(), Errc::cancelled);
      EXPECT_TRUE((co_await scope.join()).has_value());
    }
    EXPECT_TRUE((co_await send_text(pair->client, "still here")).has_value());
    EXPECT_EQ(*co_await receive_text(pair->server, 10), "still here");
  }());
}

TEST_P(SocketCancelTest, AReceiveCancelledAsTheBytesArriveLosesNothing) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    for (int turns = 0; turns < 30; ++turns) {
      Scope scope;
      auto receiver = scope.spawn(receive_text(pair->server, 1));
      EXPECT_TRUE((co_await yield_now()).has_value());
      EXPECT_TRUE((co_await send_text(pair->client, "x")).has_value());
      for (int i = 0; i < turns; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
      receiver.cancel();
      auto received = co_await receiver;
      if (!received) received = co_await receive_text(pair->server, 1);
      EXPECT_EQ(*received, "x");
      EXPECT_TRUE((co_await scope.join()).has_value());
    }
  }());
}

TEST_P(SocketCancelTest, ASendThatThePeerDoesNotReadEnds) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    Scope scope;
    auto sender = scope.spawn(send_text(pair->client, std::string(64 << 20, 'x')));
    co_await some_turns();
    EXPECT_FALSE(sender.done());
    sender.cancel();
    EXPECT_EQ((co_await sender).error(), Errc::cancelled);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

// A listener that accepts nothing soon has a full backlog; a connect then gets no answer.
TEST_P(SocketCancelTest, ConnectsWithoutAnAnswerEnd) {
  run([]() -> Task<void> {
    auto listener = Listener::bind(Endpoint::loopback(0), 1);
    Scope scope;
    std::vector<JoinHandle<Result<Socket>>> clients;
    for (int i = 0; i < 8; ++i) clients.push_back(scope.spawn(connect_to(listener->endpoint())));
    co_await some_turns();
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
    std::size_t cancelled = 0;
    for (auto& client : clients) {
      const auto socket = client.take();
      if (!socket) ++cancelled;
      if (!socket) EXPECT_EQ(socket.error(), Errc::cancelled) << socket.error().to_string();
    }
    EXPECT_GT(cancelled, 0u);
  }());
}

TEST_P(SocketCancelTest, ACancelledTaskStartsNothing) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    auto listener = Listener::bind(Endpoint::loopback(0));
    Scope scope;
    scope.cancel();
    auto connecting = scope.spawn(connect_to(listener->endpoint()));
    auto accepting = scope.spawn(accept_one(*listener));
    auto receiving = scope.spawn(receive_text(pair->server));
    auto sending = scope.spawn(send_text(pair->client, "not sent"));
    auto shutting = scope.spawn([](Socket& socket) -> Task<Result<void>> {
      co_return co_await socket.shutdown();
    }(pair->client));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(connecting.take().error(), Errc::cancelled);
    EXPECT_EQ(accepting.take().error(), Errc::cancelled);
    EXPECT_EQ(receiving.take().error(), Errc::cancelled);
    EXPECT_EQ(sending.take().error(), Errc::cancelled);
    EXPECT_EQ(shutting.take().error(), Errc::cancelled);
    pair->client.close();
    EXPECT_EQ(*co_await receive_text(pair->server), "");
  }());
}

TEST_P(SocketCancelTest, ATimeoutEndsAReceive) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    auto received = co_await with_timeout(1ms, receive_text(pair->server));
    EXPECT_EQ(received.error(), Errc::timed_out);
  }());
}

// A server that runs until the clients have left, and the clients.
Task<Result<void>> serve(Listener& listener, std::size_t clients) {
  Scope guests(OnFailure::keep_going);
  for (std::size_t i = 0; i < clients; ++i) {
    auto socket = co_await listener.accept();
    if (!socket) break;
    guests.spawn([](Socket guest) -> Task<Result<void>> {
      co_return co_await echo(guest);
    }(std::move(*socket)));
  }
  co_return co_await guests.join();
}

Task<Result<void>> ask_twice(Endpoint server) {
  auto socket = co_await Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  for (int i = 0; i < 2; ++i) {
    if (auto sent = co_await send_text(*socket, "question"); !sent) co_return sent;
    auto answer = co_await with_timeout(10s, receive_text(*socket, 8));
    if (!answer) co_return fail(std::move(answer).error());
    if (answer->size() < 8) co_return fail(Errc::peer_closed);  // the server was cancelled first
    EXPECT_EQ(*answer, "question");
  }
  co_return co_await socket->shutdown();
}

Task<Result<void>> echo_party() {
  constexpr std::size_t kClients = 3;
  auto listener = Listener::bind(Endpoint::loopback(0));
  Scope scope;
  scope.spawn(serve(*listener, kClients));
  for (std::size_t i = 0; i < kClients; ++i) scope.spawn(ask_twice(listener->endpoint()));
  co_return co_await scope.join();
}

TEST(SocketCutTest, AnEchoServerAndItsClientsEndWhereverTheyAreCut) {
  EXPECT_GT(sim::for_every_cancellation_point(echo_party), 30u);
}

TEST(SocketCutTest, TheyEndWhereverTheyAreCutWhenEverythingIsLate) {
  sim::SimOptions options;
  options.network.deferred = 1;
  options.network.cancel_delay = {1ms, 1ms};
  EXPECT_GT(sim::for_every_cancellation_point(echo_party, options), 30u);
}

TEST(SocketCutTest, TheyEndWhicheverOperationFails) {
  EXPECT_GT(sim::for_every_failing_operation(echo_party, ECONNRESET), 10u);
}

}  // namespace
}  // namespace gossamer::async
