// Exchanges over HTTP/1.1, one after the other: connections that are used again, heads without
// bodies, bodies in codings, and times.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/http2_conversation.h>
#include <tests/support/scripted_server.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "http/body.h"
#include "http/client.h"
#include "site/compression.h"
#include "tests/simulated/world.h"

namespace gossamer::http {
namespace {

using testing::HasSubstr;

// What a test does with a client of a server at `site`.
using Story = async::Task<void> (*)(Client& client, std::string site);

async::Task<std::size_t> tell(std::vector<Scripted> script, ClientOptions options, Story story) {
  ScriptedServer server(std::move(script));
  CHECK(server.listen());
  http2::NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  Client client(connector, nullptr, std::move(options));
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(server.run());
  co_await story(client, "http://127.0.0.1:" + std::to_string(server.port()) + "/");
  client.close_idle();
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return server.connections;
}

// Returns the number of connections.
std::size_t play(std::vector<Scripted> script, Story story, ClientOptions options = {}) {
  auto world = sim::World::calm();
  return world.run(tell(std::move(script), std::move(options), story));
}

std::string ok(std::string_view body, std::string_view fields = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(fields) + "\r\n" + std::string(body);
}

Request request_of(const std::string& url, std::string method = "GET") {
  return {.method = std::move(method), .url = *url::Url::parse(url), .fields = {}, .body = {}};
}

// Fetches twice with `method`, with a pause in which the server can speak.
async::Task<void> fetch_twice(Client& client, std::string site, std::string method) {
  for (int i = 0; i < 2; ++i) {
    const auto page = co_await http2::fetch(client, request_of(site, method));
    EXPECT_TRUE(page.is_whole) << page.trouble;
    EXPECT_EQ(page.body, "page");
    CHECK(co_await async::sleep(10s));
  }
}

async::Task<void> post_twice(Client& client, std::string site) {
  co_await fetch_twice(client, std::move(site), "POST");
}

TEST(ExchangeTest, AnIdleConnectionThatTheServerClosedIsReplacedBeforeItIsUsed) {
  EXPECT_EQ(play({{.bytes = ok("page"), .closes = true}}, post_twice), 2u);
}

TEST(ExchangeTest, WhatAServerSaysUnaskedIsNoAnswer) {
  const std::string answer = ok("page");
  EXPECT_EQ(play({{.bytes = answer + "HTTP/1.1 408 Request Timeout\r\n\r\n",
                   .piece = answer.size(),
                   .between = 1s}},
                 post_twice),
            2u);
}

TEST(ExchangeTest, AQuietConnectionIsUsedAgainAfterAPause) {
  EXPECT_EQ(play({{.bytes = ok("page")}}, post_twice), 1u);
}

async::Task<void> head_and_get(Client& client, std::string site) {
  const auto head = co_await http2::fetch(client, request_of(site, "HEAD"));
  EXPECT_TRUE(head.is_whole) << head.trouble;
  EXPECT_EQ(head.body, "");
  EXPECT_THAT(head.head, HasSubstr("Content-Length: 4"));
  const auto page = co_await http2::fetch(client, request_of(site));
  EXPECT_EQ(page.body, "page");
  EXPECT_TRUE(page.facts.reused);
}

TEST(ExchangeTest, TheResponseToHeadHasNoBody) {
  EXPECT_EQ(play({{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"}, {.bytes = ok("page")}},
                 head_and_get),
            1u);
}

async::Task<void> expect_request_head(Client& client, std::string site) {
  auto response = co_await client.send(request_of(site));
  CHECK(response);
  const bool is_kept = client.options().keep_request;
  EXPECT_EQ(response->request_head().starts_with("GET / HTTP/1.1\r\n"), is_kept);
  EXPECT_EQ(response->request_head().ends_with("\r\n\r\n"), is_kept);
}

TEST(ExchangeTest, TheRequestIsKeptOnlyOnDemand) {
  for (const bool is_kept : {false, true}) {
    ClientOptions options;
    options.keep_request = is_kept;
    play({{.bytes = ok("page")}}, expect_request_head, options);
  }
}

async::Task<void> note_the_end(Client& client, std::string site) {
  auto response = co_await client.send(request_of(site));
  CHECK(response);
  wire::WholeDecoder decoder;
  const WholeBody body = co_await read_whole(*response, decoder);
  const Duration total = response->facts().total;
  CHECK(co_await async::sleep(50s));
  EXPECT_EQ(response->facts().total, total) << "it has ended";
  EXPECT_EQ(response->facts().first_byte, total - (body.trouble ? 20s : 0s));
}

TEST(ExchangeTest, TheTimeOfAnExchangeEndsWithItsBody) {
  play({{.bytes = ok("page"), .delay = 1s}}, note_the_end);
  play({{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npage"}}, note_the_end);
}

constexpr std::size_t kLargeBytes = 100'000;  // more than one buffer of the decoder

std::string large_text() {
  std::string text;
  while (text.size() < kLargeBytes) text += std::to_string(text.size() * 7919);
  text.resize(kLargeBytes);
  return text;
}

async::Task<void> let_the_server_wait(Client& client, std::string site) {
  auto response = co_await client.send(request_of(site));
  CHECK(response);
  response->hold();
  CHECK(co_await async::sleep(400s));
  EXPECT_EQ(response->held(), 400s) << "also of a body that nobody reads";
  EXPECT_LT(response->facts().total, 300s);
  wire::WholeDecoder decoder;
  const WholeBody body = co_await read_whole(*response, decoder);
  EXPECT_FALSE(body.trouble) << body.trouble->to_string();
  EXPECT_EQ(body.bytes.size(), kLargeBytes);
  EXPECT_EQ(response->held(), 400s);
  EXPECT_LT(response->facts().total, 300s);
}

// It takes 500 s, of which we read nothing for 400 s.
TEST(ExchangeTest, AServerThatWaitsForUsIsNotSlow) {
  play({{.bytes = ok(large_text()), .piece = 1000, .between = 5s}}, let_the_server_wait);
}

async::Task<void> read_in_one_piece(Client& client, std::string site) {
  auto response = co_await client.send(request_of(site));
  CHECK(response);
  wire::WholeDecoder decoder;
  std::string as_it_came;
  BodyReader reader(*response, {}, decoder, &as_it_came);
  const auto piece = co_await reader.next();
  CHECK(piece);
  EXPECT_TRUE(as_text(*piece) == large_text());
  EXPECT_TRUE(as_it_came == site::gzip(large_text()));
  const auto end = co_await reader.next();
  EXPECT_TRUE(end && end->empty());
}

TEST(ExchangeTest, ASmallCodedBodyIsReturnedAsOnePiece) {
  const std::string coded = site::gzip(large_text());
  play({{.bytes = ok(coded, "Content-Encoding: gzip\r\n"), .piece = 5'000, .between = 1ms}},
       read_in_one_piece);
}

async::Task<void> fail_early(Client& client, std::string site) {
  const Instant begun = async::Loop::current().now();
  auto response = co_await client.send(request_of(site));
  CHECK(response);
  BodyReader reader(*response);
  const auto piece = co_await reader.next();
  CHECK(!piece);
  EXPECT_EQ(piece.error(), Errc::malformed);
  EXPECT_LT(async::Loop::current().now() - begun, 1s) << "it does not wait for the rest";
}

TEST(ExchangeTest, ABodyThatCannotBeDecodedFailsBeforeItsEnd) {
  play({{.bytes = ok(std::string(1'000, 'x'), "Content-Encoding: gzip\r\n"),
         .piece = 500,
         .between = 10s}},
       fail_early);
}

async::Task<void> read_in_pieces(Client& client, std::string site) {
  auto response = co_await client.send(request_of(site));
  CHECK(response);
  BodyReader reader(*response);
  std::string text;
  for (;;) {
    const auto piece = co_await reader.next();
    CHECK(piece);
    if (piece->empty()) break;
    text += as_text(*piece);
  }
  EXPECT_TRUE(text == large_text());
  EXPECT_TRUE(response->is_complete());
}

TEST(ExchangeTest, ACodedBodyIsReadToItsEndInPieces) {
  const std::string coded = site::gzip(large_text());
  for (const std::size_t piece : {1'000UZ, coded.size() + 1'000}) {
    play({{.bytes = ok(coded, "Content-Encoding: gzip\r\n"), .piece = piece, .between = 1ms}},
         read_in_pieces);
  }
}

TEST(ExchangeTest, DestinationsThatDifferHaveDifferentKeys) {
  const Proxy proxy = *Proxy::parse("http://proxy.example:3128");
  const Proxy other_proxy = *Proxy::parse("http://user:secret@proxy.example:3128");
  const struct {
    const char* url;
    const Proxy* proxy;
    const char* identity;
  } kDestinations[] = {
      {"http://a.example/", nullptr, ""},      {"http://b.example/", nullptr, ""},
      {"http://a.example:81/", nullptr, ""},   {"https://a.example/", nullptr, ""},
      {"https://a.example:80/", nullptr, ""},  {"http://a.example/", &proxy, ""},
      {"http://a.example/", &other_proxy, ""}, {"http://a.example/", nullptr, "me"},
      {"http://a.example/", nullptr, "i2 me"}, {"http://a.example/", &proxy, "me"},
  };
  std::vector<std::string> keys;
  std::string key = "of an earlier request";
  for (const auto& [text, through, identity] : kDestinations) {
    const auto url = *url::Url::parse(text);
    write_key(url, through, identity, key);
    EXPECT_EQ(key, Destination::of(url, through).key(identity));
    EXPECT_THAT(keys, testing::Not(testing::Contains(key))) << text;
    keys.push_back(key);
  }
  write_key(*url::Url::parse("http://a.example:80/other?page"), nullptr, "", key);
  EXPECT_EQ(key, keys[0]);
}

// Never finds a name.
class SlowNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    CHECK(!co_await async::sleep(1h));
    co_return fail(Errc::cancelled);
  }
};

async::Task<std::string> connect_slowly() {
  SlowNames names;
  net::Connector connector(names);
  Dialer dialer(connector, nullptr, {});
  const Instant deadline = async::Loop::current().now() + 3s;
  const auto made = co_await dialer.dial({.host = "a.example", .port = 80}, {}, deadline);
  CHECK(!made);
  EXPECT_EQ(async::Loop::current().now(), deadline);
  co_return made.error().to_string();
}

TEST(ExchangeTest, AConnectionThatComesTooLateSaysSo) {
  EXPECT_EQ(sim::World::calm().run(connect_slowly()),
            "timed_out: connect a.example: the time limit for the whole request passed");
}

// A proxy that accepts connections. It reads the request and never answers, or resets.
async::Task<Result<void>> keep_waiting(async::Listener& listener, bool resets) {
  auto socket = co_await listener.accept();
  if (!socket) co_return fail(std::move(socket).error());
  if (resets) co_return co_await async::sleep(1s);  // what came is not read
  auto lent = co_await socket->receive();
  co_return co_await async::sleep(1h);
}

async::Task<std::string> ask_proxy(bool resets) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  CHECK(listener);
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(keep_waiting(*listener, resets));
  http2::NoNames names;
  net::Connector connector(names);
  ConnectionOptions options;
  options.deadlines.handshake = 4s;
  Dialer dialer(connector, nullptr, options);
  const Proxy proxy = {.kind = ProxyKind::http,
                       .host = "127.0.0.1",
                       .port = listener->endpoint().port,
                       .user = {},
                       .password = {}};
  const Instant begun = async::Loop::current().now();
  const auto made = co_await dialer.dial(
      {.host = "a.example", .port = 443, .is_tls = true, .proxy = &proxy}, {}, begun + 60s);
  CHECK(!made);
  EXPECT_LT(async::Loop::current().now() - begun, 5s);
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return made.error().to_string();
}

TEST(ExchangeTest, AProxyThatFailsIsNotCalledSlow) {
  EXPECT_THAT(sim::World::calm().run(ask_proxy(true)), testing::StartsWith("reset"));
  EXPECT_EQ(sim::World::calm().run(ask_proxy(false)),
            "timed_out: no handshake within 4 s, while connecting to a.example");
}

// A caller who leaves during the handshake is told that, and nothing about time.
async::Task<std::string> leave_in_the_handshake() {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  CHECK(listener);
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(keep_waiting(*listener, false));
  http2::NoNames names;
  net::Connector connector(names);
  Dialer dialer(connector, nullptr, {});
  const Proxy proxy = {.kind = ProxyKind::http,
                       .host = "127.0.0.1",
                       .port = listener->endpoint().port,
                       .user = {},
                       .password = {}};
  auto dialing =
      scope.spawn(dialer.dial({.host = "a.example", .port = 443, .is_tls = true, .proxy = &proxy},
                              {}, async::Loop::current().now() + 60s));
  CHECK(co_await async::sleep(1s));
  dialing.cancel();
  const auto made = co_await dialing.wait();
  scope.cancel();
  static_cast<void>(co_await scope.join());
  CHECK(!made);
  co_return made.error().to_string();
}

TEST(ExchangeTest, ACancelledHandshakeIsCancelled) {
  EXPECT_THAT(sim::World::calm().run(leave_in_the_handshake()), testing::StartsWith("cancelled"));
}

// Fetches through an HTTP proxy that knows its user. Returns the request, or the error.
async::Task<std::string> ask_as(std::string user) {
  ScriptedServer server({{.bytes = ok("page")}});
  CHECK(server.listen());
  http2::NoNames names;
  net::Connector connector(names);
  ClientOptions options;
  options.proxies = ProxySettings::all({.kind = ProxyKind::http,
                                        .host = "127.0.0.1",
                                        .port = server.port(),
                                        .user = std::move(user),
                                        .password = "secret"});
  Client client(connector, nullptr, std::move(options));
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(server.run());
  const auto page = co_await http2::fetch(client, request_of("http://a.example/"));
  client.close_idle();
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return server.requests.empty() ? page.trouble : server.requests[0];
}

TEST(ExchangeTest, AProxyLearnsItsUser) {
  EXPECT_THAT(sim::World::calm().run(ask_as("me")),
              HasSubstr("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"));
  EXPECT_THAT(sim::World::calm().run(ask_as("")), testing::Not(HasSubstr("Authorization")));
  EXPECT_THAT(sim::World::calm().run(ask_as("a:b")), testing::StartsWith("invalid_argument"))
      << "no such user can be written";
}

}  // namespace
}  // namespace gossamer::http
