#include "server/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/until.h"
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

// BORROWS: the responder.
async::Task<Result<Heard>> talk_to(TestResponder& responder, std::vector<std::string> pieces,
                                   Duration pause, Duration patience, ServerLimits limits = {}) {
  auto listener = async::Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  HttpServer server(responder, limits);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  Heard heard = co_await talk(std::move(pieces), pause, patience);
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return heard;
}

Heard hear(TestResponder& responder, std::vector<std::string> pieces, Duration pause = 0s,
           Duration patience = 5s) {
  auto world = sim::World::calm();
  auto heard = world.run(talk_to(responder, std::move(pieces), pause, patience));
  return heard ? std::move(*heard) : Heard{.text = heard.error().to_string()};
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
  auto world = sim::World::calm();
  const auto heard =
      world.run(talk_to(responder, {"GET /large HTTP/1.1\r\nConnection: close\r\n\r\n"}, 0s, 5s,
                        {.body_bytes_max = 1024 * 1024}));
  ASSERT_TRUE(heard);
  EXPECT_THAT(heard->text, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(heard->text, HasSubstr("X-Sealed: yes\r\n"));
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

// A client that requests a large answer and never reads it. BORROWS: the responder.
async::Task<Result<std::size_t>> ignore_answer(TestResponder& responder) {
  auto listener = async::Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  HttpServer server(responder);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  auto socket = co_await async::Socket::connect(kAt);
  if (!socket) co_return fail(std::move(socket).error());
  const std::string request = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
  static_cast<void>(co_await socket->send(as_bytes(request)));
  static_cast<void>(co_await async::sleep(10s));
  EXPECT_EQ(server.connections(), 1);
  static_cast<void>(co_await async::sleep(50s));
  const std::size_t left = server.connections();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return left;
}

// Sends a request, closes the connection after `patience`, and returns when no connection is left.
// BORROWS: the responder.
async::Task<Result<Duration>> leave_early(TestResponder& responder, std::string request,
                                          Duration patience) {
  auto listener = async::Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  HttpServer server(responder);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  const Instant begin = async::Loop::current().now();
  {
    auto socket = co_await async::Socket::connect(kAt);
    if (!socket) co_return fail(std::move(socket).error());
    static_cast<void>(co_await socket->send(as_bytes(request)));
    static_cast<void>(co_await async::sleep(patience));
    EXPECT_EQ(server.connections(), 1);
  }
  while (server.connections() > 0) static_cast<void>(co_await async::sleep(100ms));
  const Duration took = async::Loop::current().now() - begin;
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return took;
}

TEST(HttpServer, SlowReadersAreCutOff) {
  TestResponder responder;
  auto world = sim::World::calm();
  const auto left = world.run(ignore_answer(responder));
  ASSERT_TRUE(left);
  EXPECT_EQ(*left, 0);
}

// Opens many connections at the same time and counts the answers. BORROWS: the responder.
async::Task<Result<std::pair<int, int>>> crowd(TestResponder& responder, int clients) {
  auto listener = async::Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  HttpServer server(responder);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  std::vector<async::Socket> idle;
  for (int i = 0; i < clients; ++i) {
    auto socket = co_await async::Socket::connect(kAt);
    if (socket) idle.push_back(std::move(*socket));
  }
  static_cast<void>(co_await async::sleep(1s));
  EXPECT_LE(server.connections(), 64);
  const Heard rejected = co_await talk({kGet}, 0s, 5s);
  // The idle ones leave after a minute, and then there is room again.
  static_cast<void>(co_await async::sleep(61s));
  const Heard served = co_await talk({kGet}, 0s, 5s);
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return std::pair(rejected.text.starts_with("HTTP/1.1 503 ") ? 503 : 0,
                      served.text.starts_with("HTTP/1.1 200 ") ? 200 : 0);
}

TEST(HttpServer, AThousandConnectionsDoNotStopIt) {
  TestResponder responder;
  auto world = sim::World::calm();
  const auto statuses = world.run(crowd(responder, 1000));
  ASSERT_TRUE(statuses);
  EXPECT_EQ(statuses->first, 503);
  EXPECT_EQ(statuses->second, 200);
}

TEST(HttpServer, LargeRequestsAreRejected) {
  TestResponder responder;
  EXPECT_THAT(hear(responder, {"GET /" + std::string(10'000, 'a') + " HTTP/1.1\r\n\r\n"}).text,
              StartsWith("HTTP/1.1 414 "));
  EXPECT_THAT(hear(responder, {"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n"}).text,
              StartsWith("HTTP/1.1 413 "));
  EXPECT_EQ(responder.requests, 0);
}

TEST(HttpServer, AnAnswerIsCancelledWhenTheClientLeaves) {
  TestResponder responder;
  const std::string slow = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";
  // The client closes the connection after five seconds.
  auto world = sim::World::calm();
  const auto left = world.run(leave_early(responder, slow, 5s));
  ASSERT_TRUE(left);
  EXPECT_LT(*left, 7s);
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

TEST(HttpServer, AnAnswerThatThrowsEndsOnlyItsConnection) {
  for (const std::string path : {"/throws", "/throws-slow"}) {
    TestResponder responder;
    const Heard heard = hear(responder, {"GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n"});
    EXPECT_THAT(heard.text, StartsWith("HTTP/1.1 500 ")) << path;
    EXPECT_TRUE(heard.is_closed);
    EXPECT_LT(heard.took, 1s);
  }
}

// BORROWS: the responder.
async::Task<Result<std::size_t>> throw_often(TestResponder& responder) {
  auto listener = async::Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  HttpServer server(responder);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(co_await talk({"GET /throws HTTP/1.1\r\nHost: a\r\n\r\n"}, 0s, 5s));
  }
  static_cast<void>(co_await async::sleep(5s));
  const std::size_t left = server.connections();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return left;
}

TEST(HttpServer, AnswersThatThrowLeaveNoConnections) {
  TestResponder responder;
  auto world = sim::World::calm();
  const auto left = world.run(throw_often(responder));
  ASSERT_TRUE(left);
  EXPECT_EQ(*left, 0);
  EXPECT_EQ(responder.requests, 100);
}

TEST(HttpServer, SurvivesFlakyNetworks) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    TestResponder responder;
    sim::World world(seed);
    static_cast<void>(world.run(talk_to(responder, {kGet, kGet}, 100ms, 30s)));
    EXPECT_EQ(responder.open_streams, 0);
  }
}

}  // namespace
}  // namespace gossamer::server
