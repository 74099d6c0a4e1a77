#include "http/tunnel.h"

#include <gtest/gtest.h>
#include <tests/support/connected_pair.h>

#include <string>
#include <utility>
#include <vector>

#include "async/gather.h"
#include "async/sleep.h"
#include "tests/simulated/world.h"

namespace gossamer::http {
namespace {

using async::Socket;
using async::Task;

// What the proxy must receive, and what it answers, in pieces.
struct Turn {
  std::string expected;
  std::vector<std::string> answer;
};
using Turns = std::vector<Turn>;

// BORROWS: the socket.
Task<Result<std::string>> open_and_close(Socket& socket, Proxy proxy) {
  auto opened = co_await open_tunnel(socket, proxy, "a.example", 443);
  socket.close();
  co_return opened ? "open" : std::string(name(opened.error().code()));
}

// BORROWS: the socket.
Task<Result<void>> answer_as_proxy(Socket& socket, Turns turns) {
  for (const Turn& turn : turns) {
    auto text = co_await async::receive_text(socket, turn.expected.size());
    EXPECT_EQ(text.value_or("(failed)"), turn.expected);
    for (const std::string& piece : turn.answer) {
      static_cast<void>(co_await async::send_text(socket, piece));
      static_cast<void>(co_await async::sleep(100ms));
    }
  }
  socket.close();
  co_return Result<void>();
}

Task<std::string> tunnel(Proxy proxy, Turns turns) {
  auto pair = co_await async::connect_pair();
  auto [opened, answered] = co_await async::gather(open_and_close(pair->client, std::move(proxy)),
                                                   answer_as_proxy(pair->server, std::move(turns)));
  co_return opened.value_or("(failed)");
}

std::string opened(const Proxy& proxy, Turns turns) {
  auto world = sim::World::calm();
  return world.run(tunnel(proxy, std::move(turns)));
}

std::string bytes_of(std::initializer_list<int> list) {
  std::string out;
  for (const int byte : list) out += static_cast<char>(byte);
  return out;
}

const Proxy kSocks = {ProxyKind::socks5, "p.example", 1080, "", ""};
const Proxy kSocksWithPassword = {ProxyKind::socks5, "p.example", 1080, "u", "p"};
const Proxy kHttp = {ProxyKind::http, "p.example", 8080, "", ""};
const std::string kConnectToName = bytes_of({5, 1, 0, 3, 9}) + "a.example" + bytes_of({1, 187});
const std::string kConnected = bytes_of({5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
const Turn kGreeting = {bytes_of({5, 1, 0}), {bytes_of({5, 0})}};

TEST(TunnelTest, OpensWithSocks) {
  EXPECT_EQ(opened(kSocks, {kGreeting, {kConnectToName, {kConnected}}}), "open");
  const Turns slowly = {
      {bytes_of({5, 1, 0}), {bytes_of({5}), bytes_of({0})}},
      {kConnectToName, {kConnected.substr(0, 1), kConnected.substr(1, 4), kConnected.substr(5)}}};
  EXPECT_EQ(opened(kSocks, slowly), "open");
}

TEST(TunnelTest, SendsAPasswordToSocks) {
  const Turn greeting = {bytes_of({5, 2, 0, 2}), {bytes_of({5, 2})}};
  const std::string password = bytes_of({1, 1, 'u', 1, 'p'});
  EXPECT_EQ(opened(kSocksWithPassword,
                   {greeting, {password, {bytes_of({1, 0})}}, {kConnectToName, {kConnected}}}),
            "open");
  EXPECT_EQ(opened(kSocksWithPassword, {greeting, {password, {bytes_of({1, 1})}}}), "denied");
  EXPECT_EQ(opened(kSocksWithPassword, {greeting, {password, {}}}), "peer_closed");
  Proxy long_user = kSocksWithPassword;
  long_user.user = std::string(256, 'u');
  EXPECT_EQ(opened(long_user, {greeting}), "invalid_argument");
}

TEST(TunnelTest, FailsAsTheProxyOfSocksSays) {
  EXPECT_EQ(opened(kSocks, {{bytes_of({5, 1, 0}), {bytes_of({5, 255})}}}), "denied");
  EXPECT_EQ(opened(kSocks, {{bytes_of({5, 1, 0}), {bytes_of({5, 0, 0})}}}), "malformed");
  EXPECT_EQ(opened(kSocks, {{bytes_of({5, 1, 0}), {}}}), "peer_closed");
  const auto after_greeting = [](const std::string& answer) {
    return opened(kSocks, {kGreeting, {kConnectToName, {answer}}});
  };
  EXPECT_EQ(after_greeting(bytes_of({5, 5, 0, 1, 0, 0, 0, 0, 0, 0})), "refused");
  EXPECT_EQ(after_greeting(kConnected + "x"), "malformed") << "the client speaks first";
  EXPECT_EQ(after_greeting(kConnected.substr(0, 9)), "peer_closed");
  EXPECT_EQ(after_greeting(kConnected.substr(0, 3)), "peer_closed");
}

TEST(TunnelTest, OpensWithConnect) {
  const std::string request = "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n";
  const auto answered = [&request](std::vector<std::string> answer) {
    return opened(kHttp, {{request, std::move(answer)}});
  };
  EXPECT_EQ(answered({"HTTP/1.1 200 OK\r\n\r\n"}), "open");
  EXPECT_EQ(answered({"HTTP/1.1 29", "9 OK\r\nA: b\r\n", "\r\n"}), "open");
  for (const char* const status : {"401", "403", "407"}) {
    EXPECT_EQ(answered({"HTTP/1.1 " + std::string(status) + " No\r\n\r\n"}), "denied") << status;
  }
  for (const char* const status : {"300", "402", "408", "502"}) {
    EXPECT_EQ(answered({"HTTP/1.1 " + std::string(status) + " No\r\n\r\n"}), "unavailable")
        << status;
  }
  EXPECT_EQ(answered({"HTTP/1.1 200 OK\r\n\r\nx"}), "malformed") << "the client speaks first";
  EXPECT_EQ(answered({"SSH-2.0\r\n"}), "malformed");
  EXPECT_EQ(answered({"HTTP/1.1 200 OK\r\n"}), "peer_closed");
}

TEST(TunnelTest, SendsAPasswordWithConnect) {
  Proxy proxy = kHttp;
  proxy.user = "u";
  proxy.password = "p";
  const std::string request =
      "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n"
      "Proxy-Authorization: Basic dTpw\r\n\r\n";
  EXPECT_EQ(opened(proxy, {{request, {"HTTP/1.1 200 OK\r\n\r\n"}}}), "open");
  proxy.user = "a:b";
  EXPECT_EQ(opened(proxy, {}), "invalid_argument");
}

}  // namespace
}  // namespace gossamer::http
