// Tests servers whose responses never end, sent quickly or byte by byte. The client's limits and
// deadlines end them.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "async/gather.h"
#include "tests/end_to_end/http_endless_server.h"
#include "tests/end_to_end/http_fetch.h"
#include "tests/simulated/world.h"
#include "tests/support/driver_test.h"

namespace gossamer::http {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;

constexpr const char* kOk = "HTTP/1.1 200 OK\r\n";
constexpr const char* kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
constexpr std::uint64_t kBodyMax = 1 << 20;

struct Flood {
  const char* name;
  std::string begin;
  std::string unit;
  bool has_head = false;         // the head comes to an end
  std::uint64_t body_bytes = 0;  // that are given before the client stops
};

std::vector<Flood> floods() {
  return {
      {"fields", kOk, "Field: value\r\n"},
      {"one field", std::string(kOk) + "Field: ", "value"},
      {"one folded field", std::string(kOk) + "Field: a\r\n", " b\r\n"},
      {"a status line", "HTTP/1.1 200 ", "OK"},
      {"interim answers", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"},
      {"one interim answer", "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n"},
      {"blank lines", "", "\r\n"},
      {"one chunk extension", std::string(kChunked) + "1;a", "b", true},
      {"chunk extensions", std::string(kChunked) + "1", ";a=b", true},
      {"digits of a chunk size", kChunked, "0", true},
      {"trailer fields", std::string(kChunked) + "0\r\n", "Field: value\r\n", true},
      {"one trailer field", std::string(kChunked) + "0\r\nField: ", "value", true},
      {"chunks", kChunked, "8\r\n12345678\r\n", true, kBodyMax},
      {"one chunk", std::string(kChunked) + "fffffffffff\r\n", "12345678", true, kBodyMax},
      {"a body until the connection ends", "HTTP/1.1 200 OK\r\n\r\n", "12345678", true, kBodyMax},
      {"a body of 2^63 - 1 bytes", "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
       "12345678", true, kBodyMax},
  };
}

class EndlessTest : public async::DriverTest {};

ON_EVERY_DRIVER(EndlessTest);

Task<void> meet_flood(Flood flood) {
  EndlessServer server({.begin = flood.begin, .unit = flood.unit});
  LocalClient local({.body_bytes_max = kBodyMax});
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  auto fetched = co_await fetch(local.client, "http://" + server.address() + "/");
  EXPECT_EQ(fetched.has_value(), flood.has_head) << flood.name;
  if (!fetched) {
    EXPECT_TRUE(fetched.error() == Errc::over_limit) << fetched.error().to_string();
  } else {
    EXPECT_FALSE(fetched->is_complete) << flood.name;
    // Our limit cuts a body; endless framing is a fault of the server.
    const Errc expected = flood.body_bytes == 0 ? Errc::malformed : Errc::over_limit;
    EXPECT_TRUE(fetched->trouble && *fetched->trouble == expected) << flood.name;
    EXPECT_EQ(fetched->body.size(), flood.body_bytes) << flood.name;
  }
  EXPECT_EQ(local.client.pool().open(), 0u) << flood.name;
  // What it read, and what was under way in buffers of the kernel's.
  EXPECT_LT(server.bytes_sent(), kBodyMax + (std::uint64_t{16} << 20)) << flood.name;
  serving.cancel();
  static_cast<void>(co_await scope.join());
}

TEST_P(EndlessTest, IsStoppedByALimit) {
  for (Flood& flood : floods()) run(meet_flood(std::move(flood)));
}

// The rest is a matter of time, so of virtual time.

constexpr Duration kWhole = 100s;

ClientOptions with_deadlines() {
  ClientOptions options;
  options.deadlines.whole = kWhole;
  options.deadlines.bytes_per_second_min = 0;  // the other limits are tested here
  return options;
}

struct Slow {
  const char* name;
  Endless what;
  Duration ends_after = kWhole;
  const char* scheme = "http";
  std::optional<ProxyKind> proxy = std::nullopt;
};

// BORROWS: the case.
Task<Duration> wait_for_slow(const Slow& slow) {
  EndlessServer server(slow.what);
  ClientOptions options = with_deadlines();
  if (slow.proxy) {
    options.proxies = ProxySettings::all({.kind = *slow.proxy,
                                          .host = "127.0.0.1",
                                          .port = server.port(),
                                          .user = {},
                                          .password = {}});
  }
  LocalClient local(std::move(options), trusting(""));
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  const Instant begun = async::Loop::current().now();
  auto fetched = co_await fetch_in_any_time(
      local.client, std::string(slow.scheme) + "://" + server.address() + "/", {});
  const Duration took = async::Loop::current().now() - begun;
  if (!fetched) {
    EXPECT_TRUE(fetched.error() == Errc::timed_out) << fetched.error().to_string();
  } else {
    EXPECT_FALSE(fetched->is_complete) << slow.name;
    EXPECT_TRUE(fetched->trouble && *fetched->trouble == Errc::timed_out) << slow.name;
  }
  EXPECT_EQ(local.client.pool().open(), 0u) << slow.name;
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return took;
}

void check_all(const std::vector<Slow>& cases) {
  for (const Slow& slow : cases) {
    SCOPED_TRACE(slow.name);
    auto world = sim::World::calm();
    const Duration took = world.run(wait_for_slow(slow));
    EXPECT_GE(took, slow.ends_after);
    EXPECT_LE(took, slow.ends_after + 1s);
    EXPECT_EQ(world.driver().buffers_lent(), 0u);
  }
}

TEST(SlowServerTest, IsGivenUpAtTheDeadlineOfTheWhole) {
  const std::string chunk = std::string(kChunked);
  const std::string length = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
  check_all({
      {"head, a byte at a time", {.begin = "H", .unit = "TTP/1.1 200", .between = 5s}},
      {"fields", {.begin = kOk, .unit = "A: b\r\n", .between = 5s}},
      {"one field", {.begin = std::string(kOk) + "A:", .unit = "b", .between = 5s}},
      {"blank lines", {.begin = "", .unit = "\r\n", .between = 10s}},
      {"interim answers",
       {.begin = "", .unit = "HTTP/1.1 103 Early Hints\r\n\r\n", .between = 10s}},
      {"a body of known length", {.begin = length, .unit = "x", .between = 5s}},
      {"a body until the end", {.begin = std::string(kOk) + "\r\n", .unit = "x", .between = 5s}},
      {"a byte a second", {.begin = length, .unit = "x", .between = 1s}},
      {"just within the idle time", {.begin = length, .unit = "x", .between = 19s}},
      {"chunks", {.begin = chunk, .unit = "1\r\nx\r\n", .between = 5s}},
      {"a chunk", {.begin = chunk + "ffffff\r\n", .unit = "x", .between = 5s}},
      {"a chunk's size", {.begin = chunk, .unit = "0", .between = 10s}},
      {"a chunk's extension", {.begin = chunk + "1;", .unit = "x", .between = 5s}},
      {"trailer fields", {.begin = chunk + "0\r\n", .unit = "A: b\r\n", .between = 5s}},
      {"a trailer field", {.begin = chunk + "0\r\nA: ", .unit = "b", .between = 5s}},
  });
}

TEST(SlowServerTest, IsGivenUpWhenItFallsSilent) {
  const Deadlines limits;
  check_all({
      {"at the start", {.begin = "", .unit = ""}, limits.first_byte},
      {"in the head", {.begin = "HTTP/1.1 200", .unit = ""}, limits.idle},
      {"after an interim answer",
       {.begin = "HTTP/1.1 100 Continue\r\n\r\n", .unit = ""},
       limits.idle},
      {"after the head", {.begin = kChunked, .unit = ""}, limits.idle},
      {"in the body", {.begin = std::string(kChunked) + "5\r\nab", .unit = ""}, limits.idle},
      {"before the trailer", {.begin = std::string(kChunked) + "0\r\n", .unit = ""}, limits.idle},
      {"just beyond the idle time",
       {.begin = kOk, .unit = "A: b\r\n", .between = 21s},
       limits.idle},
  });
}

TEST(SlowServerTest, IsGivenUpWhileHandsAreShaken) {
  const Duration limit = Deadlines().handshake;
  check_all({
      {"TLS, silent", {.begin = "", .unit = ""}, limit, "https"},
      // The begin of a record that promises 16 KiB, and one byte of it at a time.
      {"TLS, trickling",
       {.begin = "\x16\x03\x03\x40", .unit = "\x01", .between = 3s},
       limit,
       "https"},
      {"CONNECT, silent", {.begin = "", .unit = ""}, limit, "https", ProxyKind::http},
      {"CONNECT, trickling",
       {.begin = kOk, .unit = "A: b\r\n", .between = 3s},
       limit,
       "https",
       ProxyKind::http},
      {"SOCKS, silent", {.begin = "", .unit = ""}, limit, "http", ProxyKind::socks5},
      {"SOCKS, half an answer", {.begin = "\x05", .unit = ""}, limit, "http", ProxyKind::socks5},
  });
}

TEST(SlowServerTest, IsWaitedForIfItIsWithinAllLimits) {
  auto world = sim::World::calm();
  const std::string page = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234567890123456789";
  const Duration took = world.run([](std::string answer) -> Task<Duration> {
    EndlessServer server(
        {.begin = answer.substr(0, answer.size() - 20), .unit = "0", .between = 4s});
    LocalClient local(with_deadlines());
    async::Scope scope(async::OnFailure::keep_going);
    auto serving = scope.spawn(server.run());
    const Instant begun = async::Loop::current().now();
    auto fetched = co_await fetch_in_any_time(local.client, "http://" + server.address() + "/", {});
    EXPECT_TRUE(fetched && fetched->is_whole());
    serving.cancel();
    static_cast<void>(co_await scope.join());
    co_return async::Loop::current().now() - begun;
  }(page));
  EXPECT_GE(took, 80s);
  EXPECT_LT(took, 81s);
}

// The least rate is the server's to keep. A reader that takes its time between two pieces does not
// make the server slow.
TEST(SlowServerTest, IsNotBlamedForASlowReader) {
  auto world = sim::World::calm();
  world.run([]() -> Task<void> {
    EndlessServer server({.begin = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
                          .unit = std::string(16 * 1024, 'x')});
    ClientOptions options;
    options.deadlines.bytes_per_second_min = 10'000;
    options.deadlines.rate_window = 20s;
    LocalClient local(std::move(options));
    async::Scope scope(async::OnFailure::keep_going);
    auto serving = scope.spawn(server.run());
    {
      const Request request = make_request("http://" + server.address() + "/", {});
      auto response = co_await local.client.send(request);
      CHECK(response);
      for (int i = 0; i < 4; ++i) {
        auto piece = co_await response->next();
        EXPECT_TRUE(piece) << "piece " << i << ": " << piece.error().to_string();
        if (!piece) break;
        response->hold();
        CHECK(co_await async::sleep(30s));
      }
    }
    serving.cancel();
    static_cast<void>(co_await scope.join());
  }());
}

// Others of the same origin are in line behind one that hangs; they are not in line for ever.
TEST(SlowServerTest, DoesNotHoldThoseInLineBeyondTheirDeadline) {
  auto world = sim::World::calm();
  world.run([]() -> Task<void> {
    EndlessServer server({.begin = kOk, .unit = "A: b\r\n", .between = 5s});
    ClientOptions options = with_deadlines();
    options.pool.exchanges_per_origin_max = 1;
    LocalClient local(std::move(options));
    async::Scope scope(async::OnFailure::keep_going);
    auto serving = scope.spawn(server.run());
    const Instant begun = async::Loop::current().now();
    std::vector<Task<Result<Fetched>>> tasks;
    for (int i = 0; i < 5; ++i) {
      tasks.push_back(fetch_in_any_time(local.client, "http://" + server.address() + "/", {}));
    }
    const auto all = co_await async::gather(std::move(tasks));
    for (const auto& one : all) {
      EXPECT_TRUE(!one && one.error() == Errc::timed_out);
      if (!one) EXPECT_NE(one.error().to_string(), "timed_out") << "which step?";
    }
    const Duration took = async::Loop::current().now() - begun;
    EXPECT_GE(took, kWhole);
    EXPECT_LE(took, kWhole + 1s);
    EXPECT_EQ(local.client.pool().open() + local.client.pool().origins(), 0u);
    serving.cancel();
    static_cast<void>(co_await scope.join());
  }());
}

}  // namespace
}  // namespace gossamer::http
