// Many clients and flaky servers in simulated worlds with faults drawn from their seeds: nothing
// hangs, nothing leaks, and what is complete is right.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "base/random.h"
#include "sim/world.h"
#include "tests/end_to_end/http_fetch.h"
#include "tests/support/driver_test.h"

namespace gossamer::http {
namespace {

using async::Task;

// Builds for debugging are ten times slower.
#ifdef __OPTIMIZE__
constexpr std::uint64_t kSeeds = async::kSanitized ? 100 : 1000;
#else
constexpr std::uint64_t kSeeds = 100;
#endif
constexpr std::size_t kWorkers = 6;
constexpr std::size_t kFetchesOfEach = 8;
constexpr Duration kWhole = 40s;

std::string body_of(std::size_t number) {
  std::string body;
  while (body.size() < number * 97 % 5000) body += "page " + std::to_string(number) + ", ";
  return body;
}

// How often a server fails on its own, beside what the network does.
constexpr double kIsSilent = 0.03;
constexpr double kIsCut = 0.05;
constexpr double kIsSlow = 0.1;
constexpr double kCloses = 0.1;

class FlakyServer {
 public:
  explicit FlakyServer(std::uint64_t seed)
      : random_(seed),
        listener_(std::move(async::Listener::bind(async::Endpoint::loopback(0)).value())) {}

  std::string url(std::size_t number) const {
    return "http://127.0.0.1:" + std::to_string(listener_.endpoint().port) + "/" +
           std::to_string(number);
  }

  // Until it is cancelled. BORROWS: the server.
  Task<Result<void>> run() {
    async::Scope scope(async::OnFailure::keep_going);
    for (;;) {
      auto socket = co_await listener_.accept();
      if (!socket && socket.error() == Errc::cancelled) break;
      if (socket) scope.spawn(serve(std::move(*socket)));
    }
    scope.cancel();
    co_return co_await scope.join();
  }

 private:
  Task<Result<void>> serve(async::Socket socket) {
    std::string heard;
    for (;;) {
      while (heard.find("\r\n\r\n") == std::string::npos) {
        auto lent = co_await socket.receive();
        if (!lent) co_return fail(std::move(lent).error());
        if (lent->end()) co_return {};
        heard += as_text(lent->bytes());
      }
      const std::size_t number = std::stoul(heard.substr(heard.find('/') + 1));
      heard.erase(0, heard.find("\r\n\r\n") + 4);
      if (random_.chance(kIsSilent)) co_return co_await async::sleep(1h);
      if (random_.chance(kIsSlow)) {
        if (auto slept = co_await async::sleep(30s); !slept) co_return slept;
      }
      bool closes = random_.chance(kCloses);
      std::string bytes = answer(number, closes);
      if (random_.chance(kIsCut)) {
        bytes.resize(random_.below(bytes.size()));
        closes = true;
      }
      if (auto sent = co_await socket.send(as_bytes(bytes)); !sent) co_return sent;
      if (closes) co_return {};
    }
  }

  std::string answer(std::size_t number, bool closes) {
    const std::string body = body_of(number);
    std::string head = "HTTP/1.1 200 OK\r\n";
    if (closes) head += "Connection: close\r\n";
    if (random_.chance(0.5) || body.empty()) {
      return head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    std::string chunks;
    for (std::size_t at = 0; at < body.size(); at += 100) {
      char size[16];
      const std::string chunk = body.substr(at, 100);
      std::snprintf(size, sizeof(size), "%zx\r\n", chunk.size());
      chunks += size + chunk + "\r\n";
    }
    return head + "Transfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n";
  }

  base::Random random_;
  async::Listener listener_;
};

struct Tally {
  std::size_t whole = 0;
  std::size_t failed = 0;
};

// BORROWS: all of them.
Task<void> work(Client& client, const FlakyServer& server, std::size_t first, Tally& tally) {
  for (std::size_t number = first; number < first + kFetchesOfEach; ++number) {
    const Instant begun = async::Loop::current().now();
    auto fetched = co_await fetch_in_any_time(client, server.url(number), {});
    // Cancelling takes its time in such a world.
    EXPECT_LE(async::Loop::current().now() - begun, kWhole + 5s);
    const bool is_whole = fetched && fetched->is_whole();
    EXPECT_TRUE(!fetched || fetched->is_complete == is_whole);
    if (is_whole) EXPECT_EQ(fetched->body, body_of(number));
    if (fetched) EXPECT_TRUE(body_of(number).starts_with(fetched->body));
    ++(is_whole ? tally.whole : tally.failed);
  }
}

Task<Tally> weather(std::uint64_t seed) {
  FlakyServer server(seed);
  ClientOptions options;
  options.deadlines.whole = kWhole;
  options.pool = {.exchanges_per_origin_max = 1 + seed % 5, .connections_max = 1 + seed % 4};
  LocalClient local(std::move(options));
  async::Scope servers(async::OnFailure::keep_going);
  auto serving = servers.spawn(server.run());
  Tally tally;
  async::Scope scope;
  for (std::size_t i = 0; i < kWorkers; ++i) {
    scope.spawn(work(local.client, server, i * kFetchesOfEach, tally));
  }
  EXPECT_TRUE(co_await scope.join());
  EXPECT_TRUE(local.has_all_back());
  local.client.close_idle();
  EXPECT_EQ(local.client.pool().open() + local.client.pool().origins(), 0u);
  serving.cancel();
  static_cast<void>(co_await servers.join());
  co_return tally;
}

TEST(StormTest, LeavesNothingBehind) {
  Tally all;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    sim::World world(seed);
    SCOPED_TRACE(world.describe());
    const Tally tally = world.run(weather(seed));
    all.whole += tally.whole;
    all.failed += tally.failed;
    EXPECT_EQ(world.driver().buffers_lent(), 0u);
    EXPECT_EQ(world.driver().sockets_open(), 0u);
    EXPECT_TRUE(world.loop().timers().empty());
    if (testing::Test::HasFailure()) break;
  }
  // Most get through, and some do not: else this tests nothing.
  EXPECT_GT(all.whole, all.failed);
  EXPECT_GT(all.failed, all.whole / 100);
}

TEST(StormTest, IsTheSameAgainForTheSameSeed) {
  for (const std::uint64_t seed : {3u, 14u, 159u}) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 2; ++i) {
      sim::World world(seed);
      static_cast<void>(world.run(weather(seed)));
      hashes.push_back(world.driver().trace_hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]) << seed;
  }
}

}  // namespace
}  // namespace gossamer::http
