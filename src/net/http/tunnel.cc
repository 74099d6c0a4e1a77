#include "http/tunnel.h"

#include <optional>
#include <utility>

#include "http/socks5.h"
#include "wire/authentication.h"
#include "wire/framing.h"
#include "wire/response_parser.h"

namespace gossamer::http {
namespace {

// Reads until `bytes` has exactly `size` bytes. BORROWS: all.
async::Task<Result<void>> receive_exactly(async::Socket& socket, std::string& bytes,
                                          std::size_t size) {
  while (bytes.size() < size) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(Errc::peer_closed, "the proxy closed the connection");
    bytes += as_text(lent->bytes());
  }
  if (bytes.size() > size)
    co_return fail(Errc::malformed, "the proxy sent data after its response");
  co_return {};
}

// BORROWS: all.
async::Task<Result<std::string>> ask(async::Socket& socket, const std::string& message,
                                     std::size_t answer_bytes) {
  if (auto sent = co_await socket.send(as_bytes(message)); !sent) {
    co_return fail(std::move(sent).error());
  }
  std::string answer;
  auto read = co_await receive_exactly(socket, answer, answer_bytes);
  if (!read) co_return fail(std::move(read).error());
  co_return answer;
}

// BORROWS: the socket and the proxy.
async::Task<Result<void>> socks5_log_in(async::Socket& socket, const Proxy& proxy) {
  const bool has_password = !proxy.user.empty();
  auto answer = co_await ask(socket, socks5::greeting(has_password), socks5::kGreetingAnswerBytes);
  if (!answer) co_return fail(std::move(answer).error());
  auto method = socks5::read_greeting_answer(*answer, has_password);
  if (!method) co_return fail(std::move(method).error());
  if (*method == socks5::Method::none) co_return {};
  auto message = socks5::password_message(proxy.user, proxy.password);
  if (!message) co_return fail(std::move(message).error());
  answer = co_await ask(socket, *message, socks5::kPasswordAnswerBytes);
  if (!answer) co_return fail(std::move(answer).error());
  co_return socks5::read_password_answer(*answer);
}

// BORROWS: the socket and the proxy.
async::Task<Result<void>> socks5_connect(async::Socket& socket, const Proxy& proxy,
                                         std::string host, std::uint16_t port) {
  auto message = socks5::connect_message(host, port);
  if (!message) co_return fail(std::move(message).error());
  if (auto done = co_await socks5_log_in(socket, proxy); !done) co_return done;
  auto answer = co_await ask(socket, *message, 0);
  if (!answer) co_return fail(std::move(answer).error());
  // Its size is known only after a part of it has arrived.
  std::string bytes = std::move(*answer);
  while (socks5::connect_answer_bytes(bytes) == 0) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(Errc::peer_closed, "the proxy closed the connection");
    bytes += as_text(lent->bytes());
  }
  auto read = co_await receive_exactly(socket, bytes, socks5::connect_answer_bytes(bytes));
  if (!read) co_return read;
  co_return socks5::read_connect_answer(bytes);
}

Result<std::string> connect_request(const Proxy& proxy, const std::string& host,
                                    std::uint16_t port) {
  const std::string authority = host + ":" + std::to_string(port);
  std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (!proxy.user.empty()) {
    auto authorization = wire::basic_authorization({proxy.user, proxy.password});
    if (!authorization) return fail(std::move(authorization).error());
    request += "Proxy-Authorization: " + *authorization + "\r\n";
  }
  return request + "\r\n";
}

Result<bool> read_connect_head(wire::ResponseParser& parser, Bytes input) {
  auto step = parser.feed(input);
  if (!step) return fail(std::move(step).error(), "while reading the proxy's response");
  if (step->kind != wire::ResponseParser::Step::Kind::head) return false;
  const int status = parser.take_head().status();
  if (status / 100 != 2) {
    const bool is_denied = status == 401 || status == 403 || status == 407;
    const Errc code = is_denied ? Errc::denied : Errc::unavailable;
    return fail(code, "the proxy answered " + std::to_string(status) + " to CONNECT");
  }
  if (step->consumed != input.size()) {
    return fail(Errc::malformed, "the proxy sent data after its response");
  }
  return true;
}

// BORROWS: the socket and the proxy.
async::Task<Result<void>> http_connect(async::Socket& socket, const Proxy& proxy, std::string host,
                                       std::uint16_t port) {
  auto request = connect_request(proxy, host, port);
  if (!request) co_return fail(std::move(request).error());
  if (auto sent = co_await socket.send(as_bytes(*request)); !sent) co_return sent;
  const wire::ResponseLimits limits;
  wire::ResponseParser parser(wire::RequestKind::connect, limits);
  for (;;) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return fail(Errc::peer_closed, "the proxy closed the connection");
    auto done = read_connect_head(parser, lent->bytes());
    if (!done) co_return fail(std::move(done).error());
    if (*done) co_return {};
  }
}

}  // namespace

async::Task<Result<void>> open_tunnel(async::Socket& socket, const Proxy& proxy, std::string host,
                                      std::uint16_t port) {
  auto opened = proxy.kind == ProxyKind::socks5 ? co_await socks5_connect(socket, proxy, host, port)
                                                : co_await http_connect(socket, proxy, host, port);
  if (!opened) {
    co_return fail(std::move(opened).error(),
                   "while connecting through the proxy " + proxy.to_string());
  }
  co_return {};
}

}  // namespace gossamer::http
