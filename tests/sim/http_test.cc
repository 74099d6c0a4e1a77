// Many clients fetch pages from flaky servers over a flaky network in a thousand worlds.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/sim/flaky_server.h>
#include <tests/sim/seeds.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/random.h"
#include "http/body.h"
#include "http/client.h"
#include "net/caching_resolver.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;
constexpr std::uint16_t kPort = 80;
// Nothing in these worlds ends a deadline late by more than the network's own delays.
constexpr Duration kLateMax = 5s;

struct Tally {
  std::size_t fetches = 0;
  std::size_t whole = 0;
  std::size_t failed = 0;
  std::vector<std::string> problems;
};

http::ClientOptions draw_client_options(base::Random& random) {
  http::ClientOptions options;
  options.deadlines.first_byte = draw({1s, 30s}, random);
  options.deadlines.idle = draw({1s, 20s}, random);
  options.deadlines.whole = draw({5s, 120s}, random);
  if (random.chance(0.3)) options.deadlines.bytes_per_second_min = 1 + random.below(500);
  options.pool.exchanges_per_origin_max = 1 + random.below(8);
  options.pool.connections_max = 1 + random.below(12);
  options.pool.idle_per_origin_max = random.below(4);
  options.pool.idle_max = draw({Duration::zero(), 40s}, random);
  return options;
}

// One world: hosts, their servers, and a client that many tasks share.
class Web {
 public:
  explicit Web(std::uint64_t seed)
      : random_(base::Random(seed).fork("http")),
        names_(seed,
               random_.chance(0.5) ? NamedHostsOptions::stormy(random_) : NamedHostsOptions()),
        hosts_(1 + random_.below(4)),
        flakiness_(random_.chance(0.3) ? 0.0 : 0.05 + 0.5 * random_.unit()) {}

  async::Task<Result<Tally>> run() {
    async::Scope servers(async::OnFailure::keep_going);
    async::Scope lookups(async::OnFailure::keep_going);
    std::vector<std::unique_ptr<FlakyServer>> all;
    for (std::size_t i = 0; i < hosts_; ++i) {
      const auto host = async::Endpoint::v4(10, 0, 0, static_cast<std::uint8_t>(i + 1), kPort);
      names_.add(fmt::format("host{}.example", i), host);
      all.push_back(std::make_unique<FlakyServer>(base::Random(random_.next()), flakiness_));
      servers.spawn(all.back()->run(host));
    }
    {
      net::CachingResolver resolver(names_, lookups);
      net::Connector connector(resolver, net::AddressGuard({.allow_private = true}));
      http::Client client(connector, nullptr, draw_client_options(random_));
      co_await fetch_all(client);
      check_pool(client);
      lookups.cancel();
      static_cast<void>(co_await lookups.join());
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
    co_return std::move(tally_);
  }

 private:
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
      const std::string url = fmt::format("http://host{}.example{}", random.below(hosts_), path);
      const bool is_cancelled = random.chance(0.05);
      auto fetched = co_await async::with_timeout(is_cancelled ? 50ms : Duration(24h),
                                                  fetch(client, url, path));
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
  NamedHosts names_;
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

TEST(HttpWorlds, NoPageIsCalledWholeThatIsNotAndEverythingEndsInTime) {
  const auto [first, count] = seeds_to_run(kSeeds);
  Tally all;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const WebRun run = run_web(seed);
    all.fetches += run.tally.fetches;
    all.whole += run.tally.whole;
    all.failed += run.tally.failed;
    ASSERT_TRUE(run.tally.problems.empty())
        << run.tally.problems.front() << "\nagain: GOSSAMER_SEED=" << seed;
  }
  fmt::print("{} worlds: {} fetches, {} whole, {} failed\n", count, all.fetches, all.whole,
             all.failed);
  if (count < kSeeds) return;
  EXPECT_GT(all.whole, all.fetches / 4) << "these worlds are too stormy to show anything";
  EXPECT_GT(all.failed, all.fetches / 50) << "these worlds are too calm to show anything";
}

TEST(HttpWorlds, OneSeedIsOneRun) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(run_web(seed).trace, run_web(seed).trace) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gossamer::sim
