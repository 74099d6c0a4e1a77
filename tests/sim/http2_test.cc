// Many clients fetch pages over few HTTP/2 connections, from servers that are slow, reset streams,
// say goodbye, stall and send nonsense, over a flaky network, in a thousand worlds.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/sim/fetch_judge.h>
#include <tests/sim/flaky_server.h>
#include <tests/support/http2_test_server.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/timeout.h"
#include "base/random.h"
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

  async::Task<Result<FetchTally>> run() {
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
      judge_.check_pool(client);
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
    co_return judge_.take_tally();
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
                                                  judge_.fetch(client, url, path));
      if (random.chance(0.2)) static_cast<void>(co_await async::sleep(draw({1ms, 5s}, random)));
    }
  }

  base::Random random_;
  const std::size_t hosts_;
  const double flakiness_;
  FetchJudge judge_{kLateMax};
};

TEST(Http2Worlds, NoPageIsCalledWholeThatIsNotAndEverythingEndsInTime) { run_webs<Web>(kSeeds); }

TEST(Http2Worlds, OneSeedIsOneRun) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(run_web<Web>(seed).trace, run_web<Web>(seed).trace) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gossamer::sim::http2_worlds
