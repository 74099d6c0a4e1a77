#include "http/client.h"

#include <gtest/gtest.h>
#include <tests/support/scripted_server.h>

#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/timeout.h"
#include "base/random.h"
#include "http/body.h"
#include "net/resolver.h"
#include "site/compression.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::http {
namespace {

// Names do not matter here.
class NoNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    co_return fail(Errc::dns_failed, "there are no names");
  }
};

struct Fetched {
  int status = 0;
  std::string body;
  Errc trouble = Errc::internal;  // of the body
  bool is_whole = false;
  ExchangeFacts facts;
};

async::Task<Result<Fetched>> fetch(Client& client, std::string url, std::string method = "GET") {
  // BORROWS: the client.
  Request request = {.method = std::move(method), .url = *url::Url::parse(url), .fields = {}};
  auto response = co_await client.send(request);
  if (!response) co_return fail(std::move(response).error());
  wire::WholeDecoder decoder;
  WholeBody body = co_await read_whole(*response, decoder);
  co_return Fetched{.status = response->status(),
                    .body = std::move(body.bytes),
                    .trouble = body.trouble ? body.trouble->code() : Errc::internal,
                    .is_whole = !body.trouble && response->is_complete(),
                    .facts = response->facts()};
}

struct Outcome {
  std::vector<Result<Fetched>> fetched;
  std::vector<std::string> requests;
  std::size_t connections = 0;
  Duration took = Duration::zero();
  std::size_t idle = 0;
};

ClientOptions options_for_tests() {
  ClientOptions options;
  options.fields = {{"User-Agent", "test"}};
  return options;
}

// Fetches http://127.0.0.1:port/0, /1, ... one after the other.
async::Task<Outcome> converse(std::vector<Scripted> script, std::size_t count,
                              ClientOptions options, std::string method) {
  ScriptedServer server(std::move(script));
  CHECK(server.listen());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  Client client(connector, nullptr, std::move(options));
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  Outcome outcome;
  const Instant begun = async::Loop::current().now();
  for (std::size_t i = 0; i < count; ++i) {
    outcome.fetched.push_back(co_await fetch(
        client, "http://127.0.0.1:" + std::to_string(server.port()) + "/" + std::to_string(i),
        method));
  }
  outcome.took = async::Loop::current().now() - begun;
  outcome.idle = client.pool().idle();
  client.close_idle();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  outcome.requests = server.requests;
  outcome.connections = server.connections;
  co_return outcome;
}

Outcome run_with(ClientOptions options, std::vector<Scripted> script, std::size_t count = 1,
                 std::string method = "GET") {
  auto world = sim::World::calm();
  return world.run(converse(std::move(script), count, std::move(options), std::move(method)));
}

Outcome run(std::vector<Scripted> script, std::size_t count = 1) {
  return run_with(options_for_tests(), std::move(script), count);
}

std::string answer(std::string_view body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

TEST(ClientTest, FetchesAPage) {
  const Outcome outcome = run({{.bytes = answer("hello")}});
  ASSERT_TRUE(outcome.fetched[0]) << outcome.fetched[0].error().to_string();
  EXPECT_EQ(outcome.fetched[0]->status, 200);
  EXPECT_EQ(outcome.fetched[0]->body, "hello");
  EXPECT_TRUE(outcome.fetched[0]->is_whole);
  EXPECT_TRUE(outcome.requests[0].starts_with("GET /0 HTTP/1.1\r\nHost: 127.0.0.1:"));
  EXPECT_NE(outcome.requests[0].find("\r\nUser-Agent: test\r\n"), std::string::npos);
}

std::string gzip_answer(std::string_view coded, std::size_t length) {
  return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(length) +
         "\r\n\r\n" + std::string(coded);
}

// Text that does not compress well.
std::string noise(std::size_t bytes) {
  base::Random random(7);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random.next());
  return text;
}

TEST(ClientTest, DecodesABodyInOneGoOrInPieces) {
  for (const std::size_t bytes : {0UZ, 5UZ, 100'000UZ, 1'000'000UZ}) {  // the last is too large
    const std::string text = noise(bytes);
    const std::string coded = site::gzip(text);
    for (const std::size_t piece : {0UZ, 7'001UZ}) {
      const Outcome outcome =
          run({{.bytes = gzip_answer(coded, coded.size()), .piece = piece, .between = 1ms}});
      ASSERT_TRUE(outcome.fetched[0]);
      EXPECT_EQ(outcome.fetched[0]->body, text) << bytes;
      EXPECT_TRUE(outcome.fetched[0]->is_whole) << bytes;
    }
  }
}

TEST(ClientTest, GivesWhatCameOfACodedBodyThatIsCut) {
  const std::string text = noise(60'000);
  const std::string coded = site::gzip(text);
  const Outcome outcome = run(
      {{.bytes = gzip_answer(coded.substr(0, coded.size() / 2), coded.size()), .closes = true}});
  ASSERT_TRUE(outcome.fetched[0]);
  EXPECT_EQ(outcome.fetched[0]->trouble, Errc::peer_closed);
  EXPECT_GT(outcome.fetched[0]->body.size(), text.size() / 4);
  EXPECT_TRUE(text.starts_with(outcome.fetched[0]->body));
}

TEST(ClientTest, GivesWhatIsGoodOfACodedBodyThatIsDamaged) {
  const std::string text = noise(60'000);
  std::string coded = site::gzip(text);
  coded[coded.size() - 6] ^= 1;  // in the checksum
  const Outcome outcome = run({{.bytes = gzip_answer(coded, coded.size())}});
  ASSERT_TRUE(outcome.fetched[0]);
  EXPECT_EQ(outcome.fetched[0]->trouble, Errc::malformed);
  EXPECT_EQ(outcome.fetched[0]->body, text);
}

// BORROWS: the client.
async::Task<WholeBody> read_within(Client& client, std::string url, std::uint64_t bytes_max) {
  Request request = {.url = *url::Url::parse(url), .fields = {}};
  auto response = co_await client.send(request);
  wire::WholeDecoder decoder;
  co_return co_await read_whole(*response, decoder, {.bytes_max = bytes_max});
}

async::Task<WholeBody> read_hello(std::uint64_t bytes_max) {
  ScriptedServer server({{.bytes = answer("hello")}});
  CHECK(server.listen());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  Client client(connector, nullptr, options_for_tests());
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(server.run());
  WholeBody body = co_await read_within(
      client, "http://127.0.0.1:" + std::to_string(server.port()) + "/", bytes_max);
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return body;
}

TEST(ClientTest, BoundsABodyThatIsNotCodedToo) {
  const WholeBody cut = sim::World::calm().run(read_hello(4));
  EXPECT_EQ(cut.bytes, "hell");
  EXPECT_TRUE(cut.trouble && *cut.trouble == Errc::over_limit);
  const WholeBody whole = sim::World::calm().run(read_hello(5));
  EXPECT_EQ(whole.bytes, "hello");
  EXPECT_FALSE(whole.trouble);
}

TEST(ClientTest, UsesAConnectionAgain) {
  const Outcome outcome = run({{.bytes = answer("hello")}}, 5);
  for (const auto& fetched : outcome.fetched) EXPECT_TRUE(fetched && fetched->is_whole);
  EXPECT_EQ(outcome.connections, 1u);
  EXPECT_EQ(outcome.idle, 1u);
  EXPECT_FALSE(outcome.fetched[0]->facts.reused);
  EXPECT_TRUE(outcome.fetched[4]->facts.reused);
}

TEST(ClientTest, DoesNotUseAConnectionAgainThatHasSaidMoreThanItsAnswer) {
  const Outcome outcome = run({{.bytes = answer("hello") + answer("smuggled")}}, 2);
  EXPECT_EQ(outcome.connections, 2u);
  EXPECT_EQ(outcome.fetched[1]->body, "hello");
}

TEST(ClientTest, TriesOnceMoreWhenAPooledConnectionIsDead) {
  const Outcome outcome = run({{.bytes = answer("a"), .closes = true}}, 3);
  for (const auto& fetched : outcome.fetched) {
    ASSERT_TRUE(fetched) << fetched.error().to_string();
    EXPECT_TRUE(fetched->is_whole);
  }
  EXPECT_EQ(outcome.connections, 3u);
}

// Makes its request only on demand.
class ForgetfulSource final : public RequestSource {
 public:
  explicit ForgetfulSource(std::string url) : url_(std::move(url)) {}

  const Request& request(Request& room) const override {
    ++times_requested;
    CHECK(room.url.assign(url_) == url::UrlFailure::none);
    return room;
  }
  void note(ExchangeStep step) noexcept override { steps.push_back(step); }

  mutable int times_requested = 0;
  std::vector<ExchangeStep> steps;

 private:
  const std::string url_;
};

// Fetches twice from a server that closes after each response. BORROWS: the steps.
async::Task<std::vector<int>> ask_twice(std::vector<ExchangeStep>& steps) {
  ScriptedServer server({{.bytes = answer("a"), .closes = true}});
  CHECK(server.listen());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  Client client(connector, nullptr, options_for_tests());
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(server.run());
  std::vector<int> times_requested;
  for (int i = 0; i < 2; ++i) {
    ForgetfulSource source("http://127.0.0.1:" + std::to_string(server.port()) + "/");
    auto response = co_await client.send(source);
    wire::WholeDecoder decoder;
    if (response && (co_await read_whole(*response, decoder)).bytes == "a") {
      times_requested.push_back(source.times_requested);
    }
    steps = source.steps;
  }
  client.close_idle();
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return times_requested;
}

TEST(ClientTest, RebuildsTheRequestOnlyForADeadConnection) {
  std::vector<ExchangeStep> steps;
  const std::vector<int> times_requested = sim::World::calm().run(ask_twice(steps));
  ASSERT_EQ(times_requested.size(), 2u);
  EXPECT_EQ(times_requested[0], 1);
  EXPECT_GT(times_requested[1], 1);
  using enum ExchangeStep;
  EXPECT_EQ(steps, (std::vector{sending, waiting, connecting, sending, waiting, reading}));
}

TEST(ClientTest, DoesNotRepeatWhatMustNotBeRepeated) {
  const Outcome outcome =
      run_with(options_for_tests(), {{.bytes = answer("a"), .closes = true}}, 2, "POST");
  ASSERT_TRUE(outcome.fetched[0]);
  ASSERT_FALSE(outcome.fetched[1]);
  EXPECT_TRUE(outcome.fetched[1].error() == Errc::peer_closed)
      << outcome.fetched[1].error().to_string();
}

TEST(ClientTest, DoesNotRepeatARequestWhoseResponseHasBegun) {
  const Outcome outcome = run({{.bytes = answer("a")}, {.bytes = "HTTP/1.1 2", .closes = true}}, 2);
  EXPECT_FALSE(outcome.fetched[1]);
  EXPECT_EQ(outcome.requests.size(), 2u);
}

TEST(ClientTest, NeverCallsACutBodyWhole) {
  const std::string whole = answer("0123456789");
  const Outcome outcome = run({{.bytes = whole.substr(0, whole.size() - 1), .closes = true}});
  ASSERT_TRUE(outcome.fetched[0]);
  EXPECT_FALSE(outcome.fetched[0]->is_whole);
  EXPECT_EQ(outcome.fetched[0]->trouble, Errc::peer_closed);
  EXPECT_EQ(outcome.fetched[0]->body, "012345678");
}

TEST(ClientTest, GivesUpOnAServerThatDoesNotAnswer) {
  ClientOptions options = options_for_tests();
  options.deadlines.first_byte = 5s;
  const Outcome outcome = run_with(std::move(options), {{.bytes = answer("late"), .delay = 60s}});
  ASSERT_FALSE(outcome.fetched[0]);
  EXPECT_TRUE(outcome.fetched[0].error() == Errc::timed_out);
  EXPECT_GE(outcome.took, 5s);
  EXPECT_LT(outcome.took, 5s + 10ms);
}

TEST(ClientTest, GivesUpOnAPauseInTheBody) {
  ClientOptions options = options_for_tests();
  options.deadlines.idle = 3s;
  const Outcome outcome =
      run_with(std::move(options), {{.bytes = answer("0123456789"), .piece = 45, .between = 60s}});
  ASSERT_TRUE(outcome.fetched[0]);
  EXPECT_EQ(outcome.fetched[0]->trouble, Errc::timed_out);
  EXPECT_GE(outcome.took, 3s);
  EXPECT_LT(outcome.took, 3s + 10ms);
}

TEST(ClientTest, GivesUpOnAServerThatTrickles) {
  ClientOptions options = options_for_tests();
  options.deadlines.bytes_per_second_min = 0;
  options.deadlines.whole = 100s;
  const Outcome outcome = run_with(
      std::move(options), {{.bytes = answer(std::string(1000, 'x')), .piece = 1, .between = 5s}});
  const bool head_came = outcome.fetched[0].has_value();
  EXPECT_FALSE(head_came) << "the head alone takes longer";
  EXPECT_GE(outcome.took, 100s);
  EXPECT_LT(outcome.took, 101s);
}

TEST(ClientTest, GivesUpOnABodyThatDrips) {
  const Outcome outcome =
      run_with(options_for_tests(),
               {{.bytes = answer(std::string(1000, 'x')), .piece = 200, .between = 10s}});
  ASSERT_TRUE(outcome.fetched[0]);
  EXPECT_EQ(outcome.fetched[0]->trouble, Errc::timed_out);
  EXPECT_LT(outcome.took, 40s);
}

TEST(ClientTest, GivesUpOnAServerBelowTheLeastRate) {
  ClientOptions options = options_for_tests();
  options.deadlines.bytes_per_second_min = 100;
  options.deadlines.rate_window = 10s;
  const Outcome outcome =
      run_with(std::move(options),
               {{.bytes = answer(std::string(100'000, 'x')), .piece = 50, .between = 1s}});
  ASSERT_TRUE(outcome.fetched[0]);
  EXPECT_EQ(outcome.fetched[0]->trouble, Errc::timed_out);
  EXPECT_GE(outcome.took, 10s);
  EXPECT_LT(outcome.took, 12s);
}

TEST(ClientTest, StopsAtTheLimitOfABody) {
  ClientOptions options = options_for_tests();
  options.body_bytes_max = 10;
  const Outcome outcome = run_with(
      std::move(options), {{.bytes = answer("0123456789abc")}, {.bytes = answer("0123456789")}}, 2);
  EXPECT_EQ(outcome.fetched[0]->trouble, Errc::over_limit);
  EXPECT_EQ(outcome.fetched[0]->body, "0123456789");
  EXPECT_TRUE(outcome.fetched[1]->is_whole);
}

TEST(ClientTest, RejectsAnAddressThatTheGuardForbids) {
  auto world = sim::World::calm();
  const auto denied = world.run([]() -> async::Task<Result<Fetched>> {
    NoNames names;
    net::Connector connector(names);
    Client client(connector, nullptr, {});
    co_return co_await fetch(client, "http://127.0.0.1:8080/");
  }());
  ASSERT_FALSE(denied);
  EXPECT_TRUE(denied.error() == Errc::denied) << denied.error().to_string();
}

// The proxy is local, because the user configured it. That does not allow links to its addresses.
TEST(ClientTest, NeverSendsPrivateHostsToAProxy) {
  for (const ProxyKind kind : {ProxyKind::http, ProxyKind::socks5}) {
    auto world = sim::World::calm();
    world.run([](ProxyKind proxy_kind) -> async::Task<void> {
      ScriptedServer server({{.bytes = "HTTP/1.1 502 Bad Gateway\r\n\r\n", .closes = true}});
      CHECK(server.listen());
      NoNames names;
      net::Connector connector(names);
      ClientOptions options = options_for_tests();
      options.proxies = ProxySettings::all({.kind = proxy_kind,
                                            .host = "127.0.0.1",
                                            .port = server.port(),
                                            .user = {},
                                            .password = {}});
      Client client(connector, nullptr, std::move(options));
      async::Scope scope(async::OnFailure::keep_going);
      auto serving = scope.spawn(server.run());
      for (const std::string host : {"127.0.0.1", "169.254.169.254", "localhost", "[::1]",
                                     "2130706433", "0x7f.1", "a.example:25"}) {
        for (const std::string scheme : {"http://", "https://"}) {
          const auto denied = co_await fetch(client, scheme + host + "/");
          EXPECT_FALSE(denied) << host;
          if (!denied) EXPECT_TRUE(denied.error() == Errc::denied) << denied.error().to_string();
        }
      }
      EXPECT_EQ(server.connections, 0u);
      static_cast<void>(co_await fetch(client, "http://a.example/"));
      EXPECT_EQ(server.connections, 1u) << "the proxy itself may be reached";
      serving.cancel();
      static_cast<void>(co_await scope.join());
    }(kind));
  }
}

TEST(ClientTest, ClosesIdleConnectionsAfterAWhile) {
  auto world = sim::World::calm();
  const auto left = world.run([]() -> async::Task<std::size_t> {
    ScriptedServer server({{.bytes = answer("x")}});
    CHECK(server.listen());
    NoNames names;
    net::Connector connector(names, net::AddressGuard({.allow_private = true}));
    Client client(connector, nullptr, {});
    async::Scope scope(async::OnFailure::keep_going);
    auto serving = scope.spawn(server.run());
    CHECK(co_await fetch(client, "http://127.0.0.1:" + std::to_string(server.port()) + "/"));
    CHECK(client.pool().open() == 1);
    CHECK(co_await async::sleep(31s));
    serving.cancel();
    static_cast<void>(co_await scope.join());
    co_return client.pool().open() + client.pool().origins();
  }());
  EXPECT_EQ(left, 0u);
}

// BORROWS: both.
async::Task<Result<void>> fetch_and_count(Client& client, std::string url, std::size_t& open_max) {
  auto fetched = co_await fetch(client, std::move(url));
  open_max = std::max(open_max, client.pool().open());
  if (!fetched) co_return fail(std::move(fetched).error());
  co_return {};
}

struct Crowd {
  std::size_t connections = 0;  // made
  std::size_t open_max = 0;     // concurrently
};

async::Task<Result<Crowd>> fetch_many(std::size_t count, PoolOptions pool) {
  ScriptedServer server({{.bytes = answer("x"), .delay = 1s}});
  CHECK(server.listen());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  ClientOptions options = options_for_tests();
  options.pool = pool;
  Client client(connector, nullptr, std::move(options));
  async::Scope servers(async::OnFailure::keep_going);
  auto serving = servers.spawn(server.run());
  async::Scope scope;
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/";
  Crowd crowd;
  for (std::size_t i = 0; i < count; ++i) {
    scope.spawn(fetch_and_count(client, url, crowd.open_max));
  }
  auto joined = co_await scope.join();
  client.close_idle();
  serving.cancel();
  auto closed = co_await async::shielded([](async::Scope& all) -> async::Task<Result<void>> {
    co_return co_await all.join();
  }(servers));
  if (!joined) co_return fail(std::move(joined).error());
  crowd.connections = server.connections;
  co_return crowd;
}

TEST(ClientTest, LimitsTheExchangesWithOneOrigin) {
  auto world = sim::World::calm();
  const Instant begun = world.loop().now();
  const auto crowd = world.run(fetch_many(10, {.exchanges_per_origin_max = 3}));
  ASSERT_TRUE(crowd) << crowd.error().to_string();
  EXPECT_EQ(crowd->connections, 3u);
  const Duration took = world.loop().now() - begun;
  EXPECT_GE(took, 4s);
  EXPECT_LT(took, 5s) << "three at a time, a second each";
}

TEST(ClientTest, LimitsTheConnectionsOverall) {
  auto world = sim::World::calm();
  const Instant begun = world.loop().now();
  const auto crowd = world.run(fetch_many(10, {.connections_max = 2}));
  ASSERT_TRUE(crowd) << crowd.error().to_string();
  EXPECT_EQ(crowd->open_max, 2u);
  const Duration took = world.loop().now() - begun;
  EXPECT_GE(took, 5s) << "two at a time, a second each";
  EXPECT_LT(took, 6s) << "a free slot is used immediately";
}

TEST(ClientTest, CanBeCutAnywhere) {
  sim::for_every_cancellation_point([] { return fetch_many(3, {.exchanges_per_origin_max = 2}); });
}

}  // namespace
}  // namespace gossamer::http
