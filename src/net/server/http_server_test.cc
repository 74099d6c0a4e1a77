#include "server/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/until.h"
#include "base/check.h"
#include "tests/simulated/world.h"

namespace gossamer::server {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const async::Endpoint kAt = async::Endpoint::loopback(80);
const std::string kGet = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

// Sends the time every second, for as long as the client reads.
class Ticks final : public BodyStream {
 public:
  explicit Ticks(int& open) : open_(open) { ++open_; }
  Ticks(const Ticks&) = delete;
  Ticks& operator=(const Ticks&) = delete;
  ~Ticks() override { --open_; }
  async::Task<Result<std::string>> next() override {
    if (auto slept = co_await async::sleep(1s); !slept) co_return fail(std::move(slept).error());
    co_return std::string("tick\n");
  }

 private:
  int& open_;
};

class TestResponder final : public Responder {
 public:
  async::Task<Response> answer(const Request& request) override {
    ++requests;
    if (request.path() == "/ticks") {
      Response response = {.type = "text/event-stream; charset=utf-8"};
      response.stream = std::make_unique<Ticks>(open_streams);
      co_return response;
    }
    if (request.path().starts_with("/throws")) throw std::bad_alloc();
    if (request.path() == "/slow") {
      auto slept = co_await async::sleep(30s);
      was_cancelled = !slept;
      co_return plain_response(200, "slow");
    }
    if (request.path() == "/mapped") {
      auto text = std::make_shared<const std::string>(1024, 'x');
      Response response = plain_response(200, "");
      response.mapped = {.owner = text, .bytes = *text};
      co_return response;
    }
    if (request.path() == "/large") {
      Response response = plain_response(200, "");
      response.body.assign(std::size_t{64} * 1024 * 1024, 'x');
      co_return response;
    }
    co_return plain_response(200, request.method + " " + request.target + " " + request.body);
  }
  void seal(Response& response) override { response.fields.emplace_back("X-Sealed", "yes"); }

  bool is_slow(const Request& request) const override { return request.path().contains("slow"); }

  int requests = 0;
  int open_streams = 0;
  bool was_cancelled = false;
};

// What a client heard, and when the connection ended.
struct Heard {
  std::string text;
  Duration took = Duration::zero();
  bool is_closed = false;
};

// Sends each piece with a pause after it, and listens until the server closes or `patience` ends.
async::Task<Heard> talk(std::vector<std::string> pieces, Duration pause, Duration patience) {
  const Instant begin = async::Loop::current().now();
  Heard heard;
  auto socket = co_await async::Socket::connect(kAt);
  if (!socket) co_return heard;
  for (const std::string& piece : pieces) {
    if (!co_await socket->send(as_bytes(piece))) break;
    if (pause > Duration::zero()) static_cast<void>(co_await async::sleep(pause));
  }
  while (async::Loop::current().now() - begin < patience) {
    auto lent = co_await async::until(begin + patience, [&socket] { return socket->receive(); });
    if (!lent || lent->end()) {
      heard.is_closed = !lent ? lent.error() != Errc::timed_out : true;
      break;
    }
    heard.text += as_text(lent->bytes());
  }
  heard.took = async::Loop::current().now() - begin;
  co_return heard;
}

// Runs a client while a server serves, and returns what the client does. BORROWS: the responder.
template <class Seen>
async::Task<Seen> serve(TestResponder& responder,
                        std::move_only_function<async::Task<Seen>(HttpServer& server)> client,
                        ServerLimits limits = {}) {
  auto listener = async::Listener::bind(kAt);
  CHECK(listener.has_value());
  HttpServer server(responder, limits);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  Seen seen = co_await client(server);
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return seen;
}

Heard hear(TestResponder& responder, const std::vector<std::string>& pieces, Duration pause = 0s,
           Duration patience = 5s, ServerLimits limits = {},
           sim::World world = sim::World::calm()) {
  const auto client = [&](HttpServer&) { return talk(pieces, pause, patience); };
  return world.run(serve<Heard>(responder, client, limits));
}

TEST(HttpServer, AnswersOneRequestAfterTheOther) {
  TestResponder responder;
  const Heard heard = hear(responder, {kGet + kGet + "GET /last HTTP/1.0\r\nHost: a\r\n\r\n"});
  EXPECT_EQ(responder.requests, 3);
  EXPECT_THAT(heard.text, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(heard.text, HasSubstr("X-Sealed: yes\r\n"));
  EXPECT_THAT(heard.text, EndsWith("GET /last \n"));
  EXPECT_TRUE(heard.is_closed);
}

TEST(HttpServer, BodiesInFlightHaveABudget) {
  TestResponder responder;
  const Heard heard = hear(responder, {"GET /large HTTP/1.1\r\nConnection: close\r\n\r\n"}, 0s, 5s,
                           {.body_bytes_max = 1024 * 1024});
  EXPECT_THAT(heard.text, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(heard.text, HasSubstr("X-Sealed: yes\r\n"));
}

TEST(HttpServer, BodiesInFilesHaveABudget) {
  TestResponder responder;
  const std::string request = "GET /mapped HTTP/1.1\r\nConnection: close\r\n\r\n";
  EXPECT_THAT(hear(responder, {request}, 0s, 5s, {.mapped_bytes_max = 1024}).text,
              StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(hear(responder, {request}, 0s, 5s, {.mapped_bytes_max = 1023}).text,
              StartsWith("HTTP/1.1 503 "));
}

// Clients that read nothing. BORROWS: the server.
async::Task<std::pair<int, Heard>> ignore_answers(TestResponder& responder) {
  std::vector<async::Socket> deaf;
  for (int i = 0; i < 3; ++i) {
    auto socket = co_await async::Socket::connect(kAt);
    if (!socket) continue;
    static_cast<void>(co_await socket->send(as_bytes("GET /large HTTP/1.1\r\n\r\n")));
    deaf.push_back(std::move(*socket));
  }
  static_cast<void>(co_await async::sleep(1s));
  const int answered = responder.requests;
  co_return std::pair(answered,
                      co_await talk({"GET /x HTTP/1.1\r\nConnection: close\r\n\r\n"}, 0s, 60s));
}

TEST(HttpServer, AnswersWaitWhileLargeOnesAreNotRead) {
  TestResponder responder;
  auto world = sim::World::calm();
  const auto client = [&](HttpServer&) { return ignore_answers(responder); };
  const ServerLimits limits = {.busy_bytes = std::size_t{100} * 1024 * 1024};
  const auto [answered, later] = world.run(serve<std::pair<int, Heard>>(responder, client, limits));
  EXPECT_EQ(answered, 2);
  // It waits until those who do not read are gone.
  EXPECT_THAT(later.text, StartsWith("HTTP/1.1 200 "));
  EXPECT_GT(later.took, 20s);
}

TEST(HttpServer, ARequestDoesNotWaitForRoomForEver) {
  TestResponder responder;
  auto world = sim::World::calm();
  const auto client = [&](HttpServer&) { return ignore_answers(responder); };
  const ServerLimits limits = {.busy_bytes = 1, .room_time = 5s};
  const auto heard = world.run(serve<std::pair<int, Heard>>(responder, client, limits)).second;
  EXPECT_THAT(heard.text, StartsWith("HTTP/1.1 503 "));
  EXPECT_LT(heard.took, 6s);
}

TEST(HttpServer, HeadHasNoBody) {
  TestResponder responder;
  const Heard heard = hear(responder, {"HEAD /x HTTP/1.1\r\nConnection: close\r\n\r\n"});
  EXPECT_THAT(heard.text, HasSubstr("Content-Length: 9\r\n"));
  EXPECT_THAT(heard.text, EndsWith("\r\n\r\n"));
}

TEST(HttpServer, BadFramingEndsTheConnection) {
  TestResponder responder;
  const Heard heard =
      hear(responder,
           {"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n" + kGet});
  EXPECT_THAT(heard.text, StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(heard.text, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(heard.text, HasSubstr("X-Sealed: yes\r\n"));
  EXPECT_EQ(responder.requests, 0);
  EXPECT_TRUE(heard.is_closed);
}

TEST(HttpServer, HalfSentRequestsEndAfterTenSeconds) {
  TestResponder responder;
  const Heard heard = hear(responder, {"GET / HTTP/1.1\r\nHost:"}, 0s, 100s);
  EXPECT_THAT(heard.text, IsEmpty());
  EXPECT_TRUE(heard.is_closed);
  EXPECT_GE(heard.took, 10s);
  EXPECT_LT(heard.took, 12s);
}

TEST(HttpServer, AByteNowAndThenDoesNotHelp) {
  TestResponder responder;
  const std::vector<std::string> drops(60, "A: b\r\n");
  std::vector<std::string> pieces = {"GET / HTTP/1.1\r\n"};
  pieces.insert(pieces.end(), drops.begin(), drops.end());
  const Heard heard = hear(responder, pieces, 1s, 200s);
  EXPECT_EQ(responder.requests, 0);
  EXPECT_TRUE(heard.is_closed);
}

TEST(HttpServer, IdleConnectionsEndAfterAMinute) {
  TestResponder responder;
  const Heard heard = hear(responder, {kGet}, 0s, 200s);
  EXPECT_EQ(responder.requests, 1);
  EXPECT_TRUE(heard.is_closed);
  EXPECT_GE(heard.took, 60s);
  EXPECT_LT(heard.took, 62s);
}

TEST(HttpServer, StreamsAreSentInChunks) {
  TestResponder responder;
  const Heard heard = hear(responder, {"GET /ticks HTTP/1.1\r\nHost: a\r\n\r\n"}, 0s, 3500ms);
  EXPECT_THAT(heard.text, HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_THAT(heard.text, EndsWith("5\r\ntick\n\r\n5\r\ntick\n\r\n5\r\ntick\n\r\n"));
  // The shutdown of the server ended the stream.
  EXPECT_EQ(responder.open_streams, 0);
}

// Connects, sends a request and waits. The connection ends with the socket. BORROWS: the server.
async::Task<async::Socket> send_and_wait(HttpServer& server, std::string request, Duration time) {
  auto socket = co_await async::Socket::connect(kAt);
  CHECK(socket.has_value());
  static_cast<void>(co_await socket->send(as_bytes(request)));
  static_cast<void>(co_await async::sleep(time));
  EXPECT_EQ(server.connections(), 1);
  co_return std::move(*socket);
}

// A client that requests a large answer and never reads it. Returns the number of connections a
// minute later. BORROWS: the server.
async::Task<std::size_t> ignore_answer(HttpServer& server) {
  const std::string request = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
  const async::Socket socket = co_await send_and_wait(server, request, 10s);
  static_cast<void>(co_await async::sleep(50s));
  co_return server.connections();
}

TEST(HttpServer, SlowReadersAreCutOff) {
  TestResponder responder;
  auto world = sim::World::calm();
  EXPECT_EQ(world.run(serve<std::size_t>(responder, ignore_answer)), 0U);
}

// Opens many connections at the same time and counts the answers. BORROWS: the server.
async::Task<std::pair<int, int>> crowd(HttpServer& server) {
  std::vector<async::Socket> idle;
  for (int i = 0; i < 1000; ++i) {
    auto socket = co_await async::Socket::connect(kAt);
    if (socket) idle.push_back(std::move(*socket));
  }
  static_cast<void>(co_await async::sleep(1s));
  EXPECT_LE(server.connections(), 64);
  const Heard rejected = co_await talk({kGet}, 0s, 5s);
  // The idle ones leave after a minute, and then there is room again.
  static_cast<void>(co_await async::sleep(61s));
  const Heard served = co_await talk({kGet}, 0s, 5s);
  co_return std::pair(rejected.text.starts_with("HTTP/1.1 503 ") ? 503 : 0,
                      served.text.starts_with("HTTP/1.1 200 ") ? 200 : 0);
}

TEST(HttpServer, AThousandConnectionsDoNotStopIt) {
  TestResponder responder;
  auto world = sim::World::calm();
  const auto [crowded, later] = world.run(serve<std::pair<int, int>>(responder, crowd));
  EXPECT_EQ(crowded, 503);
  EXPECT_EQ(later, 200);
}

TEST(HttpServer, LargeRequestsAreRejected) {
  TestResponder responder;
  EXPECT_THAT(hear(responder, {"GET /" + std::string(10'000, 'a') + " HTTP/1.1\r\n\r\n"}).text,
              StartsWith("HTTP/1.1 414 "));
  EXPECT_THAT(hear(responder, {"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n"}).text,
              StartsWith("HTTP/1.1 413 "));
  EXPECT_EQ(responder.requests, 0);
}

// Closes the connection before the answer. Returns when no connection is left. BORROWS: the server.
async::Task<Duration> leave_early(HttpServer& server) {
  const Instant begin = async::Loop::current().now();
  static_cast<void>(co_await send_and_wait(server, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n", 5s));
  while (server.connections() > 0) static_cast<void>(co_await async::sleep(100ms));
  co_return async::Loop::current().now() - begin;
}

TEST(HttpServer, AnAnswerIsCancelledWhenTheClientLeaves) {
  TestResponder responder;
  auto world = sim::World::calm();
  EXPECT_LT(world.run(serve<Duration>(responder, leave_early)), 7s);
  EXPECT_TRUE(responder.was_cancelled);
}

TEST(HttpServer, AClientThatWaitsGetsASlowAnswer) {
  TestResponder responder;
  const std::string slow = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";
  // What it sends meanwhile is answered afterwards.
  const Heard heard = hear(responder, {slow, kGet}, 2s, 60s);
  EXPECT_FALSE(responder.was_cancelled);
  EXPECT_THAT(heard.text, HasSubstr("slow"));
  EXPECT_THAT(heard.text, HasSubstr("GET /x"));
}

// Sends a request, ends sending, and returns all that it hears. BORROWS: the responder.
async::Task<Result<std::string>> half_close(TestResponder& responder, std::string request) {
  auto listener = async::Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  HttpServer server(responder);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  auto socket = co_await async::Socket::connect(kAt);
  if (!socket) co_return fail(std::move(socket).error());
  static_cast<void>(co_await socket->send(as_bytes(request)));
  static_cast<void>(co_await socket->shutdown());
  std::string heard;
  for (;;) {
    auto lent = co_await socket->receive();
    if (!lent || lent->end()) break;
    heard += as_text(lent->bytes());
  }
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return heard;
}

TEST(HttpServer, AClientThatSendsNoMoreStillGetsItsAnswer) {
  for (const std::string version : {"1.0", "1.1"}) {
    TestResponder responder;
    auto world = sim::World::calm();
    const auto heard =
        world.run(half_close(responder, "GET /slow HTTP/" + version + "\r\nHost: a\r\n\r\n"));
    ASSERT_TRUE(heard);
    EXPECT_FALSE(responder.was_cancelled) << version;
    EXPECT_THAT(*heard, HasSubstr("HTTP/1.1 200 OK\r\n")) << version;
    EXPECT_THAT(*heard, EndsWith("slow\n")) << version;
    // HTTP/1.0 has no interim responses.
    EXPECT_EQ(heard->starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 "), version == "1.1");
  }
}

TEST(HttpServer, AnAnswerThatThrowsEndsOnlyItsConnection) {
  for (const std::string path : {"/throws", "/throws-slow"}) {
    TestResponder responder;
    const Heard heard = hear(responder, {"GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n"});
    EXPECT_THAT(heard.text, StartsWith("HTTP/1.1 500 ")) << path;
    EXPECT_TRUE(heard.is_closed);
    EXPECT_LT(heard.took, 1s);
  }
}

// Returns the number of connections that are left. BORROWS: the server.
async::Task<std::size_t> throw_often(HttpServer& server) {
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(co_await talk({"GET /throws HTTP/1.1\r\nHost: a\r\n\r\n"}, 0s, 5s));
  }
  static_cast<void>(co_await async::sleep(5s));
  co_return server.connections();
}

TEST(HttpServer, AnswersThatThrowLeaveNoConnections) {
  TestResponder responder;
  auto world = sim::World::calm();
  EXPECT_EQ(world.run(serve<std::size_t>(responder, throw_often)), 0U);
  EXPECT_EQ(responder.requests, 100);
}

TEST(HttpServer, SurvivesFlakyNetworks) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    TestResponder responder;
    static_cast<void>(hear(responder, {kGet, kGet}, 100ms, 30s, {}, sim::World(seed)));
    EXPECT_EQ(responder.open_streams, 0);
  }
}

}  // namespace
}  // namespace gossamer::server
