// Many clients fetch pages from flaky servers over a flaky network in a thousand worlds.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/sim/fetch_judge.h>
#include <tests/sim/flaky_server.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/random.h"
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

  async::Task<Result<FetchTally>> run() {
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
      judge_.check_pool(client);
      lookups.cancel();
      static_cast<void>(co_await lookups.join());
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
    co_return judge_.take_tally();
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
                                                  judge_.fetch(client, url, path));
    }
  }

  base::Random random_;
  NamedHosts names_;
  const std::size_t hosts_;
  const double flakiness_;
  FetchJudge judge_{kLateMax};
};

TEST(HttpWorlds, NoPageIsCalledWholeThatIsNotAndEverythingEndsInTime) { run_webs<Web>(kSeeds); }

TEST(HttpWorlds, OneSeedIsOneRun) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(run_web<Web>(seed).trace, run_web<Web>(seed).trace) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gossamer::sim
