// Tests ten thousand open kernel sockets in one process.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "async/descriptor_limit.h"
#include "async/event.h"
#include "async/scope.h"
#include "async/socket.h"
#include "async/timeout.h"
#include "tests/support/connected_pair.h"
#include "tests/support/driver_test.h"
#include "tests/support/patience.h"

namespace gossamer::async {
namespace {

constexpr std::size_t kConnections = 5'000;
constexpr std::uint8_t kAddresses = 5;

class ManySocketsTest : public DriverTest {};
ON_REAL_DRIVERS(ManySocketsTest);

// Everybody waits until all have arrived.
struct Party {
  std::size_t expected = 0;
  std::size_t arrived = 0;
  std::size_t answered = 0;
  Event complete;

  void arrive() {
    if (++arrived == expected) complete.set();
  }
};

Task<Result<void>> serve(Listener listener, std::size_t guests) {
  Scope scope;
  Result<void> accepted;
  for (std::size_t i = 0; i < guests && accepted; ++i) {
    auto socket = co_await listener.accept();
    if (!socket) {
      accepted = fail(std::move(socket).error());
      scope.cancel();
      break;
    }
    scope.spawn([](Socket guest) -> Task<Result<void>> {
      co_return co_await echo(guest);
    }(std::move(*socket)));
  }
  auto joined = co_await scope.join();
  co_return accepted ? std::move(joined) : std::move(accepted);
}

Task<Result<void>> attend(Endpoint server, Party& party, std::size_t number) {
  auto socket = co_await Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  party.arrive();
  if (auto all = co_await party.complete.wait(); !all) co_return all;
  const std::string text = "guest " + std::to_string(number);
  if (auto sent = co_await socket->send(as_bytes(text)); !sent) co_return sent;
  auto answer = co_await receive_text(*socket, text.size());
  if (!answer) co_return fail(std::move(answer).error());
  if (*answer == text) ++party.answered;
  co_return co_await socket->shutdown();
}

// Each address serves its share: a single one would have the kernel search long for free ports.
Task<Result<void>> hold(Party& party) {
  Scope scope;
  const std::size_t share = party.expected / kAddresses;
  Result<void> opened;
  for (std::uint8_t i = 0; i < kAddresses; ++i) {
    auto listener = Listener::bind(Endpoint::v4(127, 0, 1, static_cast<std::uint8_t>(i + 1), 0));
    if (!listener) {
      opened = fail(std::move(listener).error());
      scope.cancel();
      break;
    }
    const Endpoint door = listener->endpoint();
    scope.spawn(serve(std::move(*listener), share));
    for (std::size_t guest = 0; guest < share; ++guest) {
      scope.spawn(attend(door, party, i * share + guest));
    }
  }
  auto joined = co_await scope.join();
  co_return opened ? std::move(joined) : std::move(opened);
}

TEST_P(ManySocketsTest, TenThousandAreOpenAtOnceAndAllAnswer) {
  const DescriptorLimit limit = raise_descriptor_limit();
  const std::uint64_t possible = connections_possible(limit, loop().driver());
  if (possible < 2 * kConnections) {
    GTEST_SKIP() << advice_for_connections(2 * kConnections, limit, loop().driver());
  }
  Party party{.expected = kConnections};
  const Result<void> result = run([](Party& guests) -> Task<Result<void>> {
    co_return co_await with_timeout(support::kPatience, hold(guests));
  }(party));
  EXPECT_TRUE(result.has_value()) << result.error().to_string();
  EXPECT_EQ(party.arrived, kConnections);
  EXPECT_EQ(party.answered, kConnections);
}

}  // namespace
}  // namespace gossamer::async
