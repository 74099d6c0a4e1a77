#include <gtest/gtest.h>
#include <tests/support/connected_pair.h>

#include <string>
#include <utility>

#include "async/gather.h"
#include "http/body.h"
#include "http/client.h"
#include "net/resolver.h"
#include "tests/simulated/world.h"

namespace gossamer::http {
namespace {

// Answers one request, which ends with `body`, and returns its text. BORROWS: the listener.
async::Task<Result<std::string>> serve_one(async::Listener& listener, std::string body) {
  auto socket = co_await listener.accept();
  if (!socket) co_return fail(std::move(socket).error());
  std::string text;
  while (!text.contains("\r\n\r\n") || !text.ends_with(body)) {
    auto more = co_await async::receive_text(*socket, 1);
    if (!more) co_return fail(std::move(more).error());
    if (more->empty()) break;
    text += *more;
  }
  auto sent = co_await async::send_text(*socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  if (!sent) co_return fail(std::move(sent).error());
  co_return text;
}

// Returns the body and how many bytes were sent for the request. BORROWS: the client.
async::Task<Result<std::pair<std::string, std::uint64_t>>> post(Client& client, Request request) {
  auto response = co_await client.send(request);
  if (!response) co_return fail(std::move(response).error());
  wire::WholeDecoder decoder;
  WholeBody body = co_await read_whole(*response, decoder);
  co_return std::pair(std::move(body.bytes), response->facts().bytes_sent);
}

class NoServers final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    co_return fail(Errc::dns_failed, "there are no servers");
  }
};

async::Task<void> expect_sent(std::string body) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  EXPECT_TRUE(listener.has_value());
  NoServers names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  Client client(connector, nullptr, {});
  Request request = {
      .method = "POST",
      .url = *url::Url::parse("http://127.0.0.1:" + std::to_string(listener->endpoint().port)),
      .fields = {}};
  request.body = body;
  auto [answer, received] =
      co_await async::gather(post(client, std::move(request)), serve_one(*listener, body));
  client.close_idle();
  EXPECT_TRUE(answer.has_value() && received.has_value());
  if (!answer || !received) co_return;
  EXPECT_EQ(answer->first, "ok");
  EXPECT_EQ(answer->second, received->size());
  const std::size_t head_bytes = received->find("\r\n\r\n") + 4;
  EXPECT_TRUE(received->substr(head_bytes) == body);
  EXPECT_TRUE(received->contains("\r\nContent-Length: " + std::to_string(body.size()) + "\r\n"));
}

TEST(ClientBodyTest, SendsTheBodyOfARequest) {
  for (const std::size_t bytes : {1UZ, 1000UZ, 300'000UZ}) {
    auto world = sim::World::calm();
    world.run(expect_sent(std::string(bytes, 'b')));
  }
}

}  // namespace
}  // namespace gossamer::http
