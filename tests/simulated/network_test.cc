#include "tests/simulated/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/timeout.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

using async::Endpoint;
using async::Lent;
using async::Listener;
using async::Scope;
using async::Socket;
using async::Task;

const Endpoint kServer = Endpoint::v4(10, 0, 0, 1, 80);

// Both ends of one connection, and the listener they met at.
struct Pair {
  Listener listener;
  Socket client;
  Socket server;
};

Task<Result<Pair>> make_pair(Endpoint endpoint = kServer) {
  auto listener = Listener::bind(endpoint);
  if (!listener) co_return fail(std::move(listener).error());
  auto client = co_await Socket::connect(listener->endpoint());
  if (!client) co_return fail(std::move(client).error());
  auto server = co_await listener->accept();
  if (!server) co_return fail(std::move(server).error());
  co_return Pair{std::move(*listener), std::move(*client), std::move(*server)};
}

// BORROWS: the socket, until it is over.
Task<Result<std::string>> read_all(Socket& socket) {
  std::string text;
  for (;;) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error(), "after " + text);
    if (lent->end()) co_return text;
    text += as_text(lent->bytes());
  }
}

// Runs a coroutine without captures that CHECKs for itself by EXPECT.
void run(World& world, Task<void> task) {
  world.run(std::move(task));
  const Ledger ledger = world.driver().ledger();
  EXPECT_TRUE(ledger.balanced()) << describe(ledger);
  EXPECT_EQ(world.driver().sockets_open(), 0u);
  EXPECT_EQ(world.driver().buffers_lent(), 0u);
}

TEST(Network, ConnectingWithoutAListenerIsRefusedAfterOneRoundTrip) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    const auto socket = co_await Socket::connect(kServer);
    EXPECT_FALSE(socket);
    if (!socket) EXPECT_EQ(socket.error(), Errc::refused);
  }());
  EXPECT_EQ(world.loop().now(), Instant(200us));
  EXPECT_EQ(world.driver().connection(0).fault, Fault::none);
}

TEST(Network, AConnectionIsRefusedByChance) {
  SimOptions options;
  options.network.refused = 1;
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_FALSE(pair);
    if (!pair) EXPECT_EQ(pair.error(), Errc::refused);
  }());
  EXPECT_EQ(world.driver().connection(0).fault, Fault::refused);
}

TEST(Network, AnUnansweredConnectFailsAfterTheKernelsPatience) {
  SimOptions options;
  options.network.unanswered = 1;
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_FALSE(pair);
    if (!pair) EXPECT_EQ(pair.error(), Errc::timed_out);
  }());
  EXPECT_EQ(world.loop().now(), Instant(127s));
  EXPECT_EQ(world.driver().connection(0).fault, Fault::unanswered);
}

Task<Result<Socket>> connect() { co_return co_await Socket::connect(kServer); }

TEST(Network, ATimeoutCutsAnUnansweredConnectShort) {
  SimOptions options;
  options.network.unanswered = 1;
  World world(options);
  run(world, []() -> Task<void> {
    const auto socket = co_await async::with_timeout(10s, connect());
    EXPECT_FALSE(socket);
    if (!socket) EXPECT_EQ(socket.error(), Errc::timed_out);
  }());
  EXPECT_EQ(world.loop().now(), Instant(10s));
}

TEST(Network, APortThatIsTakenCannotBeListenedOn) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    const auto first = Listener::bind(kServer);
    EXPECT_TRUE(first);
    const auto second = Listener::bind(kServer);
    EXPECT_FALSE(second);
    if (!second) EXPECT_EQ(second.error(), Errc::exists);
    co_return;
  }());
}

TEST(Network, PortZeroIsAFreeOneAndTheZeroAddressIsEveryAddress) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto one = Listener::bind(Endpoint::v4(0, 0, 0, 0, 0));
    auto two = Listener::bind(Endpoint::v4(0, 0, 0, 0, 0));
    EXPECT_TRUE(one && two);
    EXPECT_NE(one->endpoint().port, 0);
    EXPECT_NE(one->endpoint().port, two->endpoint().port);
    EXPECT_TRUE(co_await Socket::connect(Endpoint::v4(10, 1, 2, 3, one->endpoint().port)));
  }());
}

TEST(Network, AfterAHalfCloseTheOtherDirectionStillWorks) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    EXPECT_TRUE(co_await pair->client.send(as_bytes("question")));
    EXPECT_TRUE(co_await pair->client.shutdown());
    const auto question = co_await read_all(pair->server);
    EXPECT_TRUE(question && *question == "question");
    EXPECT_TRUE(co_await pair->server.send(as_bytes("answer")));
    pair->server.close();
    const auto answer = co_await read_all(pair->client);
    EXPECT_TRUE(answer && *answer == "answer");
    const auto late = co_await pair->client.send(as_bytes("more"));
    EXPECT_FALSE(late);
    if (!late) EXPECT_EQ(late.error(), Errc::peer_closed);
  }());
}

TEST(Network, ClosingWithBytesUnreadResetsThePeer) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    EXPECT_TRUE(co_await pair->client.send(as_bytes("nobody reads this")));
    EXPECT_TRUE(co_await async::sleep(1s));
    pair->server.close();
    const auto answer = co_await read_all(pair->client);
    EXPECT_FALSE(answer);
    if (!answer) EXPECT_EQ(answer.error(), Errc::reset);
  }());
  EXPECT_EQ(world.driver().connection(0).to_server.unread, 17u);
  EXPECT_EQ(world.driver().connection(0).fault, Fault::none);
}

TEST(Network, SendingToAClosedPeerIsAnsweredByAReset) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    pair->server.close();
    const auto end = co_await read_all(pair->client);
    EXPECT_TRUE(end && end->empty());
    EXPECT_TRUE(co_await pair->client.send(as_bytes("anybody there?")));
    EXPECT_TRUE(co_await async::sleep(1s));
    const auto sent = co_await pair->client.send(as_bytes("no"));
    EXPECT_FALSE(sent);
    if (!sent) EXPECT_EQ(sent.error(), Errc::reset);
  }());
  EXPECT_EQ(world.driver().ledger().unread, 14u);
}

TEST(Network, BytesThatArrivedBeforeAResetCanStillBeRead) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    EXPECT_TRUE(co_await pair->client.send(as_bytes("unread")));
    EXPECT_TRUE(co_await pair->server.send(as_bytes("last words")));
    EXPECT_TRUE(co_await async::sleep(1s));
    pair->server.close();
    EXPECT_TRUE(co_await async::sleep(1s));
    const auto words = co_await pair->client.receive();
    EXPECT_TRUE(words && as_text(words->bytes()) == "last words");
    const auto after = co_await pair->client.receive();
    EXPECT_FALSE(after);
    if (!after) EXPECT_EQ(after.error(), Errc::reset);
  }());
}

// BORROWS: the socket, until it is over.
Task<Result<void>> send_all(Socket& socket, std::string text) {
  co_return co_await socket.send(as_bytes(text));
}

TEST(Network, ABrokenConnectionResetsBothEndsAndLosesWhatIsUnderWay) {
  SimOptions options;
  options.network.breaks = 1;
  options.network.fault_after = {1s, 1s};
  options.network.delay = {10ms, 10ms};
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    EXPECT_TRUE(co_await async::sleep_until(Instant(1s - 1ms)));
    EXPECT_TRUE(co_await pair->client.send(as_bytes("lost")));
    const auto to_server = co_await read_all(pair->server);
    EXPECT_FALSE(to_server);
    if (!to_server) EXPECT_EQ(to_server.error(), Errc::reset);
    const auto to_client = co_await read_all(pair->client);
    EXPECT_FALSE(to_client);
    if (!to_client) EXPECT_EQ(to_client.error(), Errc::reset);
  }());
  EXPECT_EQ(world.loop().now(), Instant(1s + 10ms));
  EXPECT_EQ(world.driver().connection(0).fault, Fault::broke);
  EXPECT_EQ(world.driver().ledger().lost_in_reset, 4u);
}

TEST(Network, ASilentConnectionSwallowsEverythingSilently) {
  SimOptions options;
  options.network.goes_silent = 1;
  options.network.fault_after = {1s, 1s};
  options.network.window_bytes = {100, 100};
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    EXPECT_TRUE(co_await async::sleep(2s));
    EXPECT_TRUE(co_await pair->client.send(as_bytes(std::string(60, 'x'))));
    // The window is never opened again.
    const auto sent =
        co_await async::with_timeout(5s, send_all(pair->client, std::string(60, 'x')));
    EXPECT_FALSE(sent);
    if (!sent) EXPECT_EQ(sent.error(), Errc::timed_out);
    pair->client.close();
    const auto received = co_await async::with_timeout(5s, read_all(pair->server));
    EXPECT_FALSE(received);
    if (!received) EXPECT_EQ(received.error(), Errc::timed_out);
  }());
  EXPECT_EQ(world.driver().connection(0).fault, Fault::went_silent);
  EXPECT_EQ(world.driver().ledger().swallowed, 100u);
}

void wait_on_a_silent_connection() {
  SimOptions options;
  options.network.goes_silent = 1;
  options.network.fault_after = {1s, 1s};
  World world(options);
  world.run([]() -> Task<void> {
    auto pair = co_await make_pair();
    static_cast<void>(co_await pair->client.receive());
  }());
}

TEST(NetworkDeathTest, AWaitWithoutADeadlineOnASilentConnectionIsADeadlock) {
  EXPECT_DEATH(wait_on_a_silent_connection(), "deadlock");
}

TEST(Network, BytesArriveInPiecesAndInOrder) {
  SimOptions options;
  options.network.segment_bytes = {1, 7};
  options.network.jitter = 1ms;
  options.network.short_receive = 0.5;
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    std::string text;
    for (int i = 0; i < 200; ++i) text += std::to_string(i) + ",";
    EXPECT_TRUE(co_await pair->client.send(as_bytes(text)));
    EXPECT_TRUE(co_await pair->client.shutdown());
    std::string received;
    std::size_t largest = 0;
    std::size_t receives = 0;
    for (;;) {
      const auto lent = co_await pair->server.receive();
      EXPECT_TRUE(lent);
      if (!lent || lent->end()) break;
      received += as_text(lent->bytes());
      largest = std::max(largest, lent->size());
      ++receives;
    }
    EXPECT_EQ(received, text);
    EXPECT_GT(receives, 10u);
    EXPECT_LT(largest, text.size());
  }());
}

TEST(Network, ASendWaitsUntilTheWindowOpens) {
  SimOptions options;
  options.network.window_bytes = {1000, 1000};
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    Scope scope;
    auto sending = scope.spawn(send_all(pair->client, std::string(2500, 'x')));
    EXPECT_TRUE(co_await async::sleep(1s));
    EXPECT_FALSE(sending.done());
    std::size_t received = 0;
    while (received < 1500) {
      const auto lent = co_await pair->server.receive();
      EXPECT_TRUE(lent);
      received += lent->size();
    }
    EXPECT_TRUE(co_await async::sleep(1s));
    EXPECT_TRUE(sending.done());
    EXPECT_TRUE(co_await scope.join());
  }());
  EXPECT_EQ(world.driver().ledger().sent, 2500u);
}

TEST(Network, ReceivesWaitWhileEveryBufferIsLent) {
  SimOptions options;
  options.network.lent_buffers_max = 1;
  options.network.lent_buffer_bytes = 4;
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    EXPECT_TRUE(co_await pair->client.send(as_bytes("12345678")));
    EXPECT_TRUE(co_await pair->server.send(as_bytes("abcdefgh")));
    Scope scope;
    {
      const auto lent = co_await pair->server.receive();
      EXPECT_TRUE(lent && as_text(lent->bytes()) == "1234");
      auto receiving = scope.spawn([](Socket* socket) -> Task<Result<void>> {
        auto other = co_await socket->receive();
        if (!other) co_return fail(std::move(other).error());
        EXPECT_EQ(as_text(other->bytes()), "abcd");
        co_return {};
      }(&pair->client));
      EXPECT_TRUE(co_await async::sleep(1s));
      EXPECT_FALSE(receiving.done());
    }
    EXPECT_TRUE(co_await scope.join());
  }());
}

TEST(Network, AFullBacklogDelaysTheNextConnection) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto listener = Listener::bind(kServer, 1);
    EXPECT_TRUE(listener);
    auto first = co_await Socket::connect(kServer);
    EXPECT_TRUE(first);
    Scope scope;
    auto second = scope.spawn(connect());
    EXPECT_TRUE(co_await async::sleep(500ms));
    EXPECT_FALSE(second.done());
    EXPECT_TRUE(co_await listener->accept());
    EXPECT_TRUE(co_await second);
    EXPECT_TRUE(co_await scope.join());
  }());
  // The request is repeated after one second.
  EXPECT_EQ(world.loop().now(), Instant(200us + 100us + 1s + 100us));
}

TEST(Network, ABacklogThatStaysFullEndsInATimeout) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto listener = Listener::bind(kServer, 1);
    EXPECT_TRUE(listener);
    auto first = co_await Socket::connect(kServer);
    EXPECT_TRUE(first);
    const auto second = co_await Socket::connect(kServer);
    EXPECT_FALSE(second);
    if (!second) EXPECT_EQ(second.error(), Errc::timed_out);
  }());
  EXPECT_EQ(world.loop().now(), Instant(200us + 127s));
}

TEST(Network, ClosingAListenerResetsThoseThatNobodyAccepted) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto client = [&]() -> Result<Socket> { return fail(Errc::internal); }();
    {
      auto listener = Listener::bind(kServer);
      EXPECT_TRUE(listener);
      client = co_await Socket::connect(kServer);
      EXPECT_TRUE(client);
    }
    const auto received = co_await client->receive();
    EXPECT_FALSE(received);
    if (!received) EXPECT_EQ(received.error(), Errc::reset);
  }());
}

TEST(Network, ACancelledConnectLeavesTheListenerAConnectionThatIsReset) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto listener = Listener::bind(kServer);
    EXPECT_TRUE(listener);
    const auto socket = co_await async::with_timeout(50us, connect());
    EXPECT_FALSE(socket);
    auto accepted = co_await listener->accept();
    EXPECT_TRUE(accepted);
    const auto received = co_await accepted->receive();
    EXPECT_FALSE(received);
    if (!received) EXPECT_EQ(received.error(), Errc::reset);
  }());
}

TEST(Network, ConnectionsOvertakeEachOther) {
  SimOptions options;
  options.network.delay = {1ms, 100ms};
  World world(options);
  run(world, []() -> Task<void> {
    auto listener = Listener::bind(kServer);
    EXPECT_TRUE(listener);
    std::vector<int> order;
    Scope scope;
    for (int i = 0; i < 10; ++i) {
      scope.spawn([](std::vector<int>* arrived, int number) -> Task<Result<void>> {
        auto socket = co_await Socket::connect(kServer);
        if (!socket) co_return fail(std::move(socket).error());
        arrived->push_back(number);
        co_return {};
      }(&order, i));
    }
    EXPECT_TRUE(co_await scope.join());
    EXPECT_EQ(order.size(), 10u);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  }());
}

TEST(Network, ACancelledSendMayHaveSentSome) {
  SimOptions options;
  options.network.window_bytes = {100, 100};
  World world(options);
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    const auto sent =
        co_await async::with_timeout(1s, send_all(pair->client, std::string(300, 'x')));
    EXPECT_FALSE(sent);
    pair->client.close();
    const auto received = co_await read_all(pair->server);
    EXPECT_TRUE(received && received->size() == 100);
  }());
}

TEST(Network, ACancelledReceiveLosesNothing) {
  World world = World::calm();
  run(world, []() -> Task<void> {
    auto pair = co_await make_pair();
    EXPECT_TRUE(pair);
    const auto nothing = co_await async::with_timeout(1s, read_all(pair->server));
    EXPECT_FALSE(nothing);
    EXPECT_TRUE(co_await pair->client.send(as_bytes("later")));
    pair->client.close();
    const auto received = co_await read_all(pair->server);
    EXPECT_TRUE(received && *received == "later");
  }());
}

}  // namespace
}  // namespace gossamer::sim
