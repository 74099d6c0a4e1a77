// Exchanges that share a connection: the one that reads for all, windows, buffers and writes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>
#include <tests/support/http2_conversation.h>

#include <string>
#include <utility>
#include <vector>

namespace gossamer::http2 {
namespace {

using testing::HasSubstr;
using testing::Not;

// Begins a response, and leaves its body alone for a while. Returns the time until its head came.
// BORROWS: the client.
async::Task<Duration> hold(http::Client& client, http::Request request, Duration pause) {
  const Instant begun = async::Loop::current().now();
  auto response = co_await client.send(request);
  const Duration took = async::Loop::current().now() - begun;
  EXPECT_TRUE(response) << response.error().to_string();
  EXPECT_FALSE(response && response->is_complete()) << "its end has not come";
  static_cast<void>(co_await async::sleep(pause));
  co_return took;
}

// One connection with three concurrent requests: /first, /held and /late, in this order.
struct Trio {
  Fetched first;
  Duration head_of_held;
  Fetched late;
};

async::Task<Trio> fetch_three(TestServer::Answers answers, std::string body_of_held) {
  TestServer server(std::move(answers),
                    settings({{kInitialWindowSize, 1 << 20}}) + window_update(0, 1 << 24));
  CHECK(server.listen());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  http::ClientOptions options;
  options.protocols = http::Protocols::http2_prior_knowledge;
  http::Client client(connector, nullptr, options);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  const std::string site = "http://127.0.0.1:" + std::to_string(server.port());
  const auto request = [&site](const char* path) -> http::Request {
    return {.url = *url::Url::parse(site + path), .fields = {}, .body = {}};
  };
  http::Request posted = request("/held");
  if (!body_of_held.empty()) {
    posted.method = "POST";
    posted.body = body_of_held;
  }
  auto first = scope.spawn(fetch(client, request("/first")));
  CHECK(co_await async::sleep(10ms));
  auto held = scope.spawn(hold(client, posted, 60s));
  CHECK(co_await async::sleep(10ms));
  auto late = scope.spawn(fetch(client, request("/late")));
  Trio trio = {.first = co_await first.wait(),
               .head_of_held = co_await held.wait(),
               .late = co_await late.wait()};
  EXPECT_EQ(server.connections, 1u);
  client.close_idle();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return trio;
}

// The first one reads for all. When it leaves, one that waits must continue, and not one whose
// caller does something else.
TEST(Http2SharingTest, AReaderThatLeavesIsReplacedByOneThatWaits) {
  auto world = sim::World::calm();
  const Trio trio = world.run(fetch_three(
      [](const Asked& asked) -> Reply {
        if (asked.path == "/first") return {.bytes = response(asked.stream, "x"), .delay = 3s};
        if (asked.path == "/late") return {.bytes = response(asked.stream, "x"), .delay = 5s};
        return {.bytes = headers(asked.stream, {{":status", "200"}}) + data(asked.stream, "a"),
                .delay = 1s};
      },
      ""));
  EXPECT_LT(trio.first.took, 4s);
  EXPECT_LT(trio.head_of_held, 2s);
  EXPECT_TRUE(trio.late.is_whole) << trio.late.trouble;
  EXPECT_LT(trio.late.took, 6s);
}

// A server may answer before it has read the whole request.
TEST(Http2SharingTest, AHeadThatComesWhileTheRequestIsSentIsNotMissed) {
  auto world = sim::World::calm();
  const Trio trio = world.run(fetch_three(
      [](const Asked& asked) -> Reply {
        if (asked.path != "/held") return {.bytes = response(asked.stream, "x"), .delay = 20s};
        return {.bytes = headers(asked.stream, {{":status", "413"}})};
      },
      std::string(500'000, 'x')));
  EXPECT_LT(trio.head_of_held, 5s);
  EXPECT_TRUE(trio.first.is_whole && trio.late.is_whole);
}

// A request that must not be repeated is not sent on a connection that is known to have ended.
TEST(Http2SharingTest, AnIdleConnectionThatTheServerClosedIsReplacedBeforeItIsUsed) {
  const Outcome outcome = run({.answers = [](const Asked& asked) -> Reply {
                                 return {.bytes = response(asked.stream, "x"), .closes = true};
                               },
                               .count = 3,
                               .between = 2s,
                               .method = "POST",
                               .body = "data"});
  for (const Fetched& page : outcome.fetched) EXPECT_TRUE(page.is_whole) << page.trouble;
  EXPECT_EQ(outcome.connections, 3u);
}

// A body that is larger than the windows arrives if what was read makes room.
TEST(Http2SharingTest, ABodyMayBeLargerThanTheWindows) {
  const wire::Http2Limits limits;
  std::string body(limits.connection_window + 3 * limits.stream_window, 'x');
  const Outcome outcome = run({.answers = [&](const Asked& asked) -> Reply {
    std::string bytes = headers(asked.stream, {{":status", "200"}});
    constexpr std::size_t kFrame = 16'000;
    for (std::size_t at = 0; at < body.size(); at += kFrame) {
      const bool is_last = at + kFrame >= body.size();
      bytes += data(asked.stream, body.substr(at, kFrame), is_last ? kEndStream : kNone);
    }
    return {.bytes = bytes, .piece = 16'009, .between = 100ms};
  }});
  EXPECT_TRUE(outcome.fetched[0].is_whole) << outcome.fetched[0].trouble;
  EXPECT_TRUE(outcome.fetched[0].body == body);
}

// The second one is cancelled while it writes to a server that reads nothing. The first one, whose
// response has begun, was not cancelled.
TEST(Http2SharingTest, TheOtherOneLearnsThatTheConnectionWasLeft) {
  Plan plan = {.answers = [](const Asked& asked) -> Reply {
                 if (asked.stream > 1) return {.bytes = {}, .rest = 1h};
                 return {.bytes = headers(1, {{":status", "200"}}) + data(1, "a")};
               },
               .greeting = settings({{kInitialWindowSize, 1 << 20}}) + window_update(0, 1 << 24),
               .count = 2,
               .is_concurrent = true,
               .between = 1s,
               .method = "POST",
               .body = std::string(400'000, 'x')};
  plan.options.deadlines = {.first_byte = 100s, .idle = 100s, .whole = 200s};
  plan.cancelled = {{.which = 1}};
  const Outcome outcome = run(plan);
  EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("not_connected"));
  EXPECT_THAT(outcome.fetched[0].trouble, Not(HasSubstr("cancelled")));
  EXPECT_LE(outcome.fetched[0].took, 20s);
}

}  // namespace
}  // namespace gossamer::http2
