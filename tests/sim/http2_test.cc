// Many clients fetch pages over few HTTP/2 connections, from servers that are slow, reset streams,
// say goodbye, stall and send nonsense, over a flaky network, in a thousand worlds.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/sim/flaky_server.h>
#include <tests/sim/seeds.h>
#include <tests/support/http2_test_server.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/timeout.h"
#include "base/random.h"
#include "http/body.h"
#include "http/client.h"
#include "net/resolver.h"
#include "tests/simulated/world.h"

namespace gossamer::sim::http2_worlds {
namespace {

constexpr std::uint64_t kSeeds = 1000;
constexpr std::uint16_t kPort = 80;
// Nothing in these worlds ends a deadline late by more than the network's own delays, and a pause
// before a request is repeated.
constexpr Duration kLateMax = 10s;

struct Tally {
  std::size_t fetches = 0;
  std::size_t whole = 0;
  std::size_t failed = 0;
  std::size_t connections = 0;
  std::vector<std::string> problems;
};

class NoNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    co_return fail(Errc::dns_failed, "there are no names");
  }
};

// The frames of a page, as one server might divide them.
std::string page_frames(const http2::Asked& asked, base::Random& random) {
  const std::string page = page_at(asked.path);
  std::string frames;
  if (random.chance(0.1)) frames += http2::headers(asked.stream, {{":status", "103"}});
  http2::Fields fields = {{":status", "200"}, {"server", "sim"}};
  if (random.chance(0.5)) fields.emplace_back("content-length", std::to_string(page.size()));
  frames += http2::headers(asked.stream, fields);
  std::string_view rest = page;
  while (!rest.empty()) {
    const std::size_t size = std::min<std::size_t>(rest.size(), 1 + random.below(3000));
    frames += http2::data(asked.stream, rest.substr(0, size));
    rest.remove_prefix(size);
    if (random.chance(0.1)) frames += http2::ping();
  }
  return frames + (random.chance(0.2)
                       ? http2::headers(asked.stream, {{"x", "y"}}, http2::kEndStream)
                       : http2::data(asked.stream, {}, http2::kEndStream));
}

// Makes a reply that no client may take for the whole page, or that comes late.
void spoil(http2::Reply& reply, const http2::Asked& asked, base::Random& random) {
  const auto code = static_cast<http2::Code>(random.below(14));
  const std::string start = http2::headers(asked.stream, {{":status", "200"}});
  switch (random.below(9)) {
    case 0: reply.bytes = http2::reset(asked.stream, code); break;
    case 1: reply.bytes = start + http2::reset(asked.stream, code); break;
    case 2: reply.bytes = http2::goaway(asked.stream - 2 * (asked.stream > 1), code); break;
    case 3: reply.bytes = http2::goaway(0x7FFFFFFF, http2::Code::no_error) + reply.bytes; break;
    case 4:
      reply.bytes.resize(random.below(reply.bytes.size()));
      reply.closes = true;
      break;
    case 5: reply.bytes.clear(); break;  // it never answers
    case 6: reply.bytes = start; break;  // it stops
    case 7: reply.bytes = "HTTP/1.1 500 What?\r\n\r\n"; break;
    default:
      reply.bytes = start + http2::goaway(0, code);
      reply.closes = true;
      break;
  }
}

http::ClientOptions draw_client_options(base::Random& random) {
  http::ClientOptions options;
  options.protocols = http::Protocols::http2_prior_knowledge;
  options.deadlines.first_byte = draw({1s, 30s}, random);
  options.deadlines.idle = draw({1s, 20s}, random);
  options.deadlines.whole = draw({5s, 120s}, random);
  options.pool.exchanges_per_origin_max = 1 + random.below(16);
  options.pool.connections_max = 1 + random.below(6);
  options.pool.idle_per_origin_max = random.below(4);
  options.pool.idle_max = draw({Duration::zero(), 40s}, random);
  if (random.chance(0.3)) options.body_bytes_max = 1 + random.below(6000);
  return options;
}

class Web {
 public:
  explicit Web(std::uint64_t seed)
      : random_(base::Random(seed).fork("http2")),
        hosts_(1 + random_.below(3)),
        flakiness_(random_.chance(0.3) ? 0.0 : 0.05 + 0.3 * random_.unit()) {}

  async::Task<Result<Tally>> run() {
    async::Scope servers(async::OnFailure::keep_going);
    std::vector<std::unique_ptr<http2::TestServer>> all;
    for (std::size_t i = 0; i < hosts_; ++i) {
      all.push_back(make_server());
      CHECK(all.back()->listen(host(i)));
      servers.spawn(all.back()->run());
    }
    {
      NoNames names;
      net::Connector connector(names, net::AddressGuard({.allow_private = true}));
      http::Client client(connector, nullptr, draw_client_options(random_));
      co_await fetch_all(client);
      check_pool(client);
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
    for (const auto& server : all) tally_.connections += server->connections;
    co_return std::move(tally_);
  }

 private:
  static async::Endpoint host(std::size_t i) {
    return async::Endpoint::v4(10, 0, 0, static_cast<std::uint8_t>(i + 1), kPort);
  }

  std::unique_ptr<http2::TestServer> make_server() {
    std::vector<std::pair<std::uint16_t, std::uint32_t>> settings;
    if (random_.chance(0.5)) {
      const auto most = static_cast<std::uint32_t>(random_.below(5));
      settings.emplace_back(http2::kMaxConcurrentStreams, most);
    }
    auto random = std::make_shared<base::Random>(random_.next());
    return std::make_unique<http2::TestServer>(
        [this, random](const http2::Asked& asked) {
          http2::Reply reply = {.bytes = page_frames(asked, *random)};
          if (random->chance(0.5)) reply.delay = draw({1ms, 3s}, *random);
          if (random->chance(0.3)) reply.piece = 1 + random->below(2000);
          if (random->chance(flakiness_)) spoil(reply, asked, *random);
          return reply;
        },
        http2::settings(settings));
  }

  // BORROWS: the client.
  async::Task<void> fetch_all(http::Client& client) {
    async::Scope scope(async::OnFailure::keep_going);
    const std::size_t visitors = 1 + random_.below(12);
    for (std::size_t i = 0; i < visitors; ++i) {
      scope.spawn(visit(client, base::Random(random_.next())));
    }
    static_cast<void>(co_await scope.join());
  }

  // BORROWS: the client.
  async::Task<void> visit(http::Client& client, base::Random random) {
    const std::size_t pages = 1 + random.below(8);
    for (std::size_t i = 0; i < pages; ++i) {
      const std::string path = fmt::format("/{}", random.below(50));
      const std::string url =
          fmt::format("http://{}{}", host(random.below(hosts_)).address_text(), path);
      const bool is_cancelled = random.chance(0.05);
      auto fetched = co_await async::with_timeout(is_cancelled ? 50ms : Duration(24h),
                                                  fetch(client, url, path));
      if (random.chance(0.2)) static_cast<void>(co_await async::sleep(draw({1ms, 5s}, random)));
    }
  }

  // BORROWS: the client.
  async::Task<Result<void>> fetch(http::Client& client, std::string url, std::string path) {
    ++tally_.fetches;
    const Instant begun = async::Loop::current().now();
    http::Request request = {.url = *url::Url::parse(url), .fields = {}};
    auto response = co_await client.send(request);
    std::optional<http::WholeBody> body;
    if (response) {
      wire::WholeDecoder decoder;
      body = co_await http::read_whole(*response, decoder);
    }
    const Duration took = async::Loop::current().now() - begun;
    if (took > client.options().deadlines.whole + kLateMax) {
      problem(fmt::format("{} took {}", url, base::to_string(took)));
    }
    const bool is_whole = body && !body->trouble;
    ++(is_whole ? tally_.whole : tally_.failed);
    if (!body) co_return fail(std::move(response).error());
    const std::string truth = page_at(path);
    if (is_whole != response->is_complete()) problem(url + ": complete or not?");
    if (is_whole && body->bytes != truth) problem(url + " is called whole, and is not");
    if (!truth.starts_with(body->bytes)) problem(url + " has bytes that were never sent");
    co_return {};
  }

  void check_pool(http::Client& client) {
    const http::Pool& pool = client.pool();
    if (pool.open() != pool.idle()) problem("a connection is neither idle nor closed");
    client.close_idle();
    if (pool.open() + pool.origins() > 0) problem("the pool kept something");
  }

  void problem(std::string text) { tally_.problems.push_back(std::move(text)); }

  base::Random random_;
  const std::size_t hosts_;
  const double flakiness_;
  Tally tally_;
};

struct WebRun {
  Tally tally;
  std::uint64_t trace = 0;
};

WebRun run_web(std::uint64_t seed) {
  World world(seed);
  Web web(seed);
  auto tally = world.run(web.run());
  EXPECT_TRUE(tally);
  EXPECT_EQ(world.loop().live_tasks(), 0u);
  EXPECT_EQ(world.loop().timers().size(), 0u);
  EXPECT_EQ(world.driver().operations_in_flight(), 0u);
  return {std::move(*tally), world.driver().trace_hash()};
}

TEST(Http2Worlds, NoPageIsCalledWholeThatIsNotAndEverythingEndsInTime) {
  const auto [first, count] = seeds_to_run(kSeeds);
  Tally all;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const WebRun run = run_web(seed);
    all.fetches += run.tally.fetches;
    all.whole += run.tally.whole;
    all.failed += run.tally.failed;
    all.connections += run.tally.connections;
    ASSERT_TRUE(run.tally.problems.empty())
        << run.tally.problems.front() << "\nagain: GOSSAMER_SEED=" << seed;
  }
  fmt::print("{} worlds: {} fetches, {} whole, {} failed, {} connections\n", count, all.fetches,
             all.whole, all.failed, all.connections);
  if (count < kSeeds) return;
  EXPECT_GT(all.whole, all.fetches / 4) << "these worlds are too stormy to show anything";
  EXPECT_GT(all.failed, all.fetches / 50) << "these worlds are too calm to show anything";
}

TEST(Http2Worlds, OneSeedIsOneRun) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(run_web(seed).trace, run_web(seed).trace) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gossamer::sim::http2_worlds
