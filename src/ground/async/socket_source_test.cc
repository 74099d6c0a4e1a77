// Connections from a chosen local address.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/connected_pair.h>
#include <tests/support/driver_test.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

#include "async/socket.h"
#include "tests/simulated/sim_driver.h"

namespace gossamer::async {
namespace {

using testing::HasSubstr;

class SocketSourceTest : public DriverTest {
 public:
  // Returns the local address of the established connection to a port of 127.0.0.1, according to
  // the system. /proc/net/tcp writes addresses as hexadecimal numbers in the machine's byte order.
  static std::string source_in_kernel(std::uint16_t port) {
    std::ifstream table("/proc/net/tcp");
    std::string line;
    while (std::getline(table, line)) {
      unsigned local = 0;
      unsigned local_port = 0;
      unsigned remote_port = 0;
      unsigned state = 0;  // 1 is established; entries of closed connections remain for a while
      const int fields = std::sscanf(line.c_str(), " %*d: %x:%x %*x:%x %x", &local, &local_port,
                                     &remote_port, &state);
      if (fields != 4 || remote_port != port || state != 1) continue;
      const auto byte = [&](int i) { return static_cast<std::uint8_t>(local >> (8 * i)); };
      return Endpoint::v4(byte(0), byte(1), byte(2), byte(3), 0).address_text();
    }
    return "none";
  }

  std::string source_seen(std::uint16_t port) {
    if (!is_simulated()) return source_in_kernel(port);
    const auto source = static_cast<sim::SimDriver&>(loop().driver()).connection(0).source;
    return source ? source->address_text() : "none";
  }
};
ON_EVERY_DRIVER(SocketSourceTest);

// In the simulated world every address is local.
class KernelSourceTest : public DriverTest {};
ON_REAL_DRIVERS(KernelSourceTest);

Task<Result<Socket>> connect_from(Endpoint peer, std::optional<Endpoint> source) {
  co_return co_await Socket::connect(peer, source);
}

TEST_P(SocketSourceTest, AConnectionComesFromTheAddressThatWasChosen) {
  std::uint16_t port = 0;
  run([](SocketSourceTest& test, std::uint16_t& listens_at) -> Task<void> {
    auto listener = Listener::bind(Endpoint::loopback(0));
    listens_at = listener->endpoint().port;
    auto [client, server] = co_await gather(
        connect_from(listener->endpoint(), Endpoint::v4(127, 0, 0, 9, 0)), accept_one(*listener));
    EXPECT_TRUE(client.has_value());
    EXPECT_TRUE(server.has_value());
    if (!client || !server) co_return;
    EXPECT_EQ(test.source_seen(listens_at), "127.0.0.9");
    EXPECT_TRUE((co_await send_text(*client, "from nine")).has_value());
    EXPECT_EQ(*co_await receive_text(*server, 9), "from nine");
  }(*this, port));
}

TEST_P(SocketSourceTest, TheOtherFamilyHasItsSourcesToo) {
  run([]() -> Task<void> {
    auto listener = Listener::bind(*Endpoint::parse("[::1]:0"));
    if (!listener) co_return;  // a machine without it
    auto [client, server] = co_await gather(
        connect_from(listener->endpoint(), *Endpoint::parse("[::1]:0")), accept_one(*listener));
    EXPECT_TRUE(client.has_value() && server.has_value());
  }());
}

TEST_P(KernelSourceTest, AnAddressThatIsNotOursCannotBeASource) {
  run([]() -> Task<void> {
    auto listener = Listener::bind(Endpoint::loopback(0));
    const auto socket =
        co_await Socket::connect(listener->endpoint(), Endpoint::v4(192, 0, 2, 1, 0));
    EXPECT_FALSE(socket.has_value());
    if (socket) co_return;
    EXPECT_THAT(socket.error().to_string(), HasSubstr(" from 192.0.2.1:0"));
    EXPECT_EQ(socket.error().error_number(), EADDRNOTAVAIL);
  }());
}

TEST_P(SocketSourceTest, ARefusedConnectionFromASourceLeavesNothingBehind) {
  run([]() -> Task<void> {
    Endpoint nobody;
    {
      auto listener = Listener::bind(Endpoint::loopback(0));
      nobody = listener->endpoint();
    }
    for (int i = 0; i < 100; ++i) {
      const auto socket = co_await Socket::connect(nobody, Endpoint::v4(127, 0, 0, 9, 0));
      EXPECT_FALSE(socket.has_value());
      if (!socket) EXPECT_EQ(socket.error(), Errc::refused);
    }
  }());
}

}  // namespace
}  // namespace gossamer::async
