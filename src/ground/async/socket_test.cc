#include "async/socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/connected_pair.h>
#include <tests/support/driver_test.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"

namespace gossamer::async {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class SocketTest : public DriverTest {};
ON_EVERY_DRIVER(SocketTest);

// Bytes without short repetitions, so that a lost or doubled piece is detected.
std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  std::uint32_t state = 1;
  for (char& byte : text) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<char>(state >> 24);
  }
  return text;
}

TEST_P(SocketTest, OneEndReceivesWhatTheOtherSends) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    EXPECT_TRUE((co_await send_text(pair->client, "ping")).has_value());
    EXPECT_EQ(*co_await receive_text(pair->server, 4), "ping");
    EXPECT_TRUE((co_await send_text(pair->server, "pong")).has_value());
    EXPECT_EQ(*co_await receive_text(pair->client, 4), "pong");
  }());
}

TEST_P(SocketTest, AListenerReturnsItsPort) {
  run([]() -> Task<void> {
    auto first = Listener::bind(Endpoint::loopback(0));
    auto second = Listener::bind(Endpoint::loopback(0));
    EXPECT_NE(first->endpoint().port, 0);
    EXPECT_NE(first->endpoint().port, second->endpoint().port);
    co_return;
  }());
}

TEST_P(SocketTest, ASecondListenerOnOnePortFails) {
  run([]() -> Task<void> {
    auto first = Listener::bind(Endpoint::loopback(0));
    const auto second = Listener::bind(first->endpoint());
    EXPECT_FALSE(second.has_value());
    EXPECT_THAT(second.error().to_string(), HasSubstr(first->endpoint().to_string()));
    co_return;
  }());
}

TEST_P(SocketTest, ConnectingWithoutAListenerIsRefused) {
  run([]() -> Task<void> {
    Endpoint nobody;
    {
      auto listener = Listener::bind(Endpoint::loopback(0));
      nobody = listener->endpoint();
    }
    const auto socket = co_await Socket::connect(nobody);
    EXPECT_FALSE(socket.has_value());
    EXPECT_EQ(socket.error(), Errc::refused);
    EXPECT_THAT(socket.error().to_string(), HasSubstr(nobody.to_string()));
  }());
}

TEST_P(SocketTest, TheVersionSixOfTheProtocolWorksToo) {
  run([]() -> Task<void> {
    auto endpoint = Endpoint::parse("[::1]:0");
    auto listener = Listener::bind(*endpoint);
    if (!listener) co_return;  // a machine without it
    auto [client, server] =
        co_await gather(connect_to(listener->endpoint()), accept_one(*listener));
    EXPECT_TRUE((co_await send_text(*client, "six")).has_value());
    EXPECT_EQ(*co_await receive_text(*server, 3), "six");
  }());
}

TEST_P(SocketTest, AClosedPeerIsTheEndOfTheStream) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    EXPECT_TRUE((co_await send_text(pair->client, "last words")).has_value());
    pair->client.close();
    EXPECT_FALSE(static_cast<bool>(pair->client));
    EXPECT_EQ(*co_await receive_text(pair->server), "last words");
    auto end = co_await pair->server.receive();
    EXPECT_TRUE(end.has_value() && end->end()) << "and stays the end";
  }());
}

TEST_P(SocketTest, AfterAHalfCloseTheOtherDirectionContinues) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    EXPECT_TRUE((co_await send_text(pair->client, "question")).has_value());
    EXPECT_TRUE((co_await pair->client.shutdown()).has_value());
    EXPECT_EQ(*co_await receive_text(pair->server), "question");
    EXPECT_TRUE((co_await send_text(pair->server, "answer, ")).has_value());
    EXPECT_TRUE((co_await send_text(pair->server, "late")).has_value());
    EXPECT_TRUE((co_await pair->server.shutdown()).has_value());
    EXPECT_EQ(*co_await receive_text(pair->client), "answer, late");
  }());
}

TEST_P(SocketTest, ClosingWithUnreadBytesResetsThePeer) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    EXPECT_TRUE((co_await send_text(pair->server, "first")).has_value());
    EXPECT_TRUE((co_await send_text(pair->client, "never read")).has_value());
    EXPECT_EQ(*co_await receive_text(pair->client, 5), "first") << "so both have arrived";
    pair->server.close();
    const auto received = co_await receive_text(pair->client);
    EXPECT_EQ(received.error(), Errc::reset);
  }());
}

TEST_P(SocketTest, SendingToAPeerThatIsGoneFailsSoon) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    pair->server.close();
    Result<void> sent;
    for (int i = 0; i < 1000 && sent; ++i) sent = co_await send_text(pair->client, pattern(4096));
    EXPECT_FALSE(sent.has_value());
    EXPECT_THAT(sent.error().code(), AnyOf(Errc::reset, Errc::peer_closed));
  }());
}

TEST_P(SocketTest, SendingNothingEndsImmediately) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    EXPECT_TRUE((co_await pair->client.send(Bytes())).has_value());
    EXPECT_TRUE((co_await send_text(pair->client, "x")).has_value());
    EXPECT_EQ(*co_await receive_text(pair->server, 1), "x");
  }());
}

TEST_P(SocketTest, EveryByteOfALargeTransferArrivesInOrder) {
  run([]() -> Task<void> {
    const std::string sent = pattern(8 << 20);
    auto pair = co_await connect_pair();
    Scope scope;
    auto receiver = scope.spawn(receive_text(pair->server));
    EXPECT_TRUE((co_await pair->client.send(as_bytes(sent))).has_value());
    pair->client.close();
    EXPECT_TRUE(*co_await receiver == sent);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(SocketTest, BothDirectionsCarryAtTheSameTime) {
  run([]() -> Task<void> {
    const std::string sent = pattern(1 << 20);
    auto pair = co_await connect_pair();
    Scope scope;
    scope.spawn(echo(pair->server));
    auto receiver = scope.spawn(receive_text(pair->client));
    EXPECT_TRUE((co_await pair->client.send(as_bytes(sent))).has_value());
    EXPECT_TRUE((co_await pair->client.shutdown()).has_value());
    EXPECT_TRUE(*co_await receiver == sent);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(SocketTest, ASenderWaitsForAReaderThatDoesNotRead) {
  run([]() -> Task<void> {
    const std::string sent = pattern(64 << 20);  // more than any kernel buffer
    auto pair = co_await connect_pair();
    Scope scope;
    auto sender = scope.spawn([](Socket& socket, const std::string& text) -> Task<Result<void>> {
      auto all = co_await socket.send(as_bytes(text));
      socket.close();
      co_return all;
    }(pair->client, sent));
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(sender.done());
    EXPECT_TRUE(*co_await receive_text(pair->server) == sent);
    EXPECT_TRUE((co_await sender).has_value());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(SocketTest, ServesManyClientsConcurrently) {
  run([]() -> Task<void> {
    constexpr int kClients = 50;
    auto listener = Listener::bind(Endpoint::loopback(0));
    Scope scope;
    scope.spawn([](Listener& door) -> Task<Result<void>> {
      Scope guests;
      for (int i = 0; i < kClients; ++i) {
        auto socket = co_await door.accept();
        if (!socket) break;
        guests.spawn([](Socket guest) -> Task<Result<void>> {
          co_return co_await echo(guest);
        }(std::move(*socket)));
      }
      co_return co_await guests.join();
    }(*listener));
    for (int i = 0; i < kClients; ++i) {
      scope.spawn([](Endpoint server, int number) -> Task<void> {
        auto socket = co_await Socket::connect(server);
        const std::string text = std::to_string(number) + pattern(10'000);
        for (int round = 0; round < 3; ++round) {
          EXPECT_TRUE((co_await socket->send(as_bytes(text))).has_value());
          EXPECT_TRUE(*co_await receive_text(*socket, text.size()) == text);
        }
      }(listener->endpoint(), i));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(SocketTest, SocketsAndListenersMove) {
  run([]() -> Task<void> {
    auto bound = Listener::bind(Endpoint::loopback(0));
    Listener listener = std::move(*bound);
    auto [client, server] = co_await gather(connect_to(listener.endpoint()), accept_one(listener));
    Socket first = std::move(*client);
    Socket second;
    EXPECT_FALSE(static_cast<bool>(second));
    second = std::move(first);
    EXPECT_FALSE(static_cast<bool>(first));
    EXPECT_TRUE((co_await send_text(second, "moved")).has_value());
    second = Socket();  // closes the connection
    EXPECT_EQ(*co_await receive_text(*server), "moved");
  }());
}

// Many connections are opened and closed: their resources are reused, and nothing leaks between
// them.
TEST_P(SocketTest, OneConnectionAfterTheOtherStartsAfresh) {
  run([]() -> Task<void> {
    for (int i = 0; i < 100; ++i) {
      auto pair = co_await connect_pair();
      const std::string text = "connection " + std::to_string(i);
      EXPECT_TRUE((co_await send_text(pair->client, text)).has_value());
      if (i % 3 == 0) pair->client.close();
      EXPECT_EQ(*co_await receive_text(pair->server, text.size()), text);
    }
  }());
}

class LentTest : public DriverTest {};
ON_EVERY_DRIVER(LentTest);

constexpr std::size_t kBuffersOfEveryDriver = 256;

Task<Result<Lent>> receive_one(Socket& socket) { co_return co_await socket.receive(); }

// Holds on to every buffer of the driver.
Task<std::vector<Lent>> borrow_all(Socket& socket) {
  std::vector<Lent> lent;
  while (lent.size() < kBuffersOfEveryDriver) {
    auto one = co_await socket.receive();
    EXPECT_TRUE(one.has_value() && !one->end());
    lent.push_back(std::move(*one));
  }
  co_return lent;
}

// Sends until it is stopped.
Task<void> send_forever(Socket& socket) {
  const std::string block = pattern(1 << 20);
  while (co_await socket.send(as_bytes(block))) {
  }
}

TEST_P(LentTest, WhenAllAreLentAReceiveWaitsUntilOneIsGivenBack) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    Scope scope;
    scope.spawn(send_forever(pair->client));
    std::vector<Lent> lent = co_await borrow_all(pair->server);
    auto starving = scope.spawn(receive_one(pair->server));
    for (int i = 0; i < 500; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(starving.done());
    lent.pop_back();
    auto fed = co_await starving;
    EXPECT_TRUE(fed.has_value() && !fed->end());
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(LentTest, AStarvingReceiveCanBeCancelled) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    Scope scope;
    scope.spawn(send_forever(pair->client));
    std::vector<Lent> lent = co_await borrow_all(pair->server);
    auto starving = scope.spawn(receive_one(pair->server));
    for (int i = 0; i < 500; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    starving.cancel();
    EXPECT_EQ((co_await starving).error(), Errc::cancelled);
    lent.clear();
    EXPECT_TRUE((co_await pair->server.receive()).has_value());
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(LentTest, ManyStarvingReceivesAreAllFedInTheEnd) {
  run([]() -> Task<void> {
    constexpr std::size_t kHungry = 20;
    auto pair = co_await connect_pair();
    Scope scope;
    scope.spawn(send_forever(pair->client));
    std::vector<ConnectedPair> others;
    for (std::size_t i = 0; i < kHungry; ++i) {
      others.push_back(*co_await connect_pair());
      EXPECT_TRUE((co_await send_text(others.back().client, "food")).has_value());
    }
    std::vector<Lent> lent = co_await borrow_all(pair->server);
    std::vector<JoinHandle<Result<std::string>>> hungry;
    for (auto& other : others) hungry.push_back(scope.spawn(receive_text(other.server, 4)));
    for (int i = 0; i < 500; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    for (auto& each : hungry) EXPECT_FALSE(each.done());
    lent.pop_back();  // one buffer is passed around
    for (auto& each : hungry) EXPECT_EQ(*co_await each, "food");
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(LentTest, ALentBufferMovesAndIsGivenBackOnce) {
  run([]() -> Task<void> {
    auto pair = co_await connect_pair();
    EXPECT_TRUE((co_await send_text(pair->client, "bytes")).has_value());
    auto received = co_await pair->server.receive();
    Lent first = std::move(*received);
    Lent second;
    EXPECT_TRUE(second.end());
    second = std::move(first);
    EXPECT_EQ(first.size(), 0u);
    EXPECT_EQ(as_text(second.bytes()), "bytes");
    second = Lent();
  }());
}

}  // namespace
}  // namespace gossamer::async
