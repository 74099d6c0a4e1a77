#include "net/connector.h"

#include <algorithm>
#include <utility>

#include "async/event.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/timeout.h"
#include "net/address_order.h"

namespace gossamer::net {

namespace {

using async::Endpoint;
using async::Socket;
using async::Task;

// BOUND: an error names this many failed attempts; the others are counted.
constexpr std::size_t kFailuresNamedMax = 6;

Addresses sorted_by_family(const std::vector<Endpoint>& given) {
  Addresses addresses;
  for (const Endpoint& address : given) {
    const bool is_v6 = address.family == Endpoint::Family::v6;
    (is_v6 ? addresses.v6 : addresses.v4).push_back(address);
  }
  return addresses;
}

// When attempts fail for different reasons, the error with the largest weight is reported: first a
// lack of resources on our side, then the error that says most about the host. A missing route for
// one family says least.
int weight(Errc code) {
  switch (code) {
    case Errc::no_resources: return 6;
    case Errc::refused: return 5;
    case Errc::reset: return 4;
    case Errc::timed_out: return 3;
    case Errc::unreachable: return 1;
    case Errc::denied: return 0;
    default: return 2;
  }
}

[[gnu::cold, gnu::noinline]] Error timed_out(const Endpoint& peer, Duration limit) {
  return Error(Errc::timed_out,
               "connect " + peer.to_string() + ": timed out after " + base::to_string(limit));
}

// The error of Socket::connect() names the call and the address; the guard's error names both.
[[gnu::cold, gnu::noinline]] std::string reason_of(const Error& error, const Endpoint& peer) {
  if (error == Errc::denied) return std::string(error.detail());
  return peer.to_string() + " " + std::string(name(error.code()));
}

}  // namespace

// The concurrent attempts to reach one host.
struct Connector::Race {
  struct Failure {
    Endpoint peer;
    Error error;
  };

  const ConnectRequest& request;  // BORROWS
  std::vector<Endpoint> peers;
  std::size_t started = 0;
  std::size_t running = 0;
  std::vector<Failure> failures;
  Socket winner;
  Endpoint winner_peer;
  async::Event changed;  // an attempt has ended, or the next one is due

  bool is_over() const { return winner || (running == 0 && started == peers.size()); }
  Error why_all_failed(bool is_timeout, Duration limit);
};

Error Connector::Race::why_all_failed(bool is_timeout, Duration limit) {
  Errc code = is_timeout ? Errc::timed_out : Errc::denied;
  std::string text;
  std::size_t named = 0;
  const auto mention = [&](const std::string& reason) {
    if (named++ < kFailuresNamedMax) text += (text.empty() ? "" : "; ") + reason;
  };
  for (const Failure& failure : failures) {
    if (weight(failure.error.code()) > weight(code)) code = failure.error.code();
    mention(reason_of(failure.error, failure.peer));
  }
  for (std::size_t i = 0; i < started && is_timeout; ++i) {
    const bool has_failed = std::ranges::any_of(
        failures, [&](const Failure& failure) { return failure.peer == peers[i]; });
    if (!has_failed) {
      mention(peers[i].to_string() + " timed out after " + base::to_string(limit));
    }
  }
  if (named > kFailuresNamedMax) {
    text += "; and " + std::to_string(named - kFailuresNamedMax) + " more";
  }
  return Error(code, "connect " + request.host + ": " + text);
}

Connector::Connector(Resolver& resolver, AddressGuard guard, ConnectOptions options)
    : resolver_(resolver), guard_(std::move(guard)), options_(options) {}

Task<Result<Connected>> Connector::connect(ConnectRequest request) {
  // A blocked port is rejected before the name is looked up.
  if (auto port = guard_.check_port(request.port); !port) co_return fail(std::move(port).error());
  async::Loop& loop = async::Loop::current();
  const Instant begun = loop.now();
  Addresses addresses;
  const bool is_resolved = request.addresses.empty();
  if (is_resolved) {
    auto found = co_await find_addresses(request.host);
    if (!found) co_return fail(std::move(found).error());
    addresses = std::move(*found);
  } else {
    addresses = sorted_by_family(request.addresses);
  }
  learn(request.host, addresses);
  const Duration dns_took = is_resolved ? loop.now() - begun : Duration::zero();
  const bool from_cache = addresses.from_cache;
  auto peers = in_order_of_attempts(addresses, request.port, request.source,
                                    std::max<std::size_t>(options_.attempts_max, 1));
  if (peers.empty()) {
    co_return fail(Errc::unreachable, "connect " + request.host + " from " +
                                          request.source.value_or(Endpoint{}).address_text() +
                                          ": it has no address of the requested family");
  }
  const Instant connect_begun = loop.now();
  auto connecting = peers.size() == 1 ? connect_to_one(request, peers.front())
                                      : connect_to_first(request, std::move(peers));
  auto connected = co_await std::move(connecting);
  if (!connected) co_return fail(std::move(connected).error());
  connected->connect_took = loop.now() - connect_begun;
  connected->dns_took = dns_took;
  connected->dns_from_cache = from_cache;
  co_return std::move(*connected);
}

Task<Result<Addresses>> Connector::find_addresses(std::string host) {
  if (const auto literal = literal_address(host)) co_return addresses_of_literal(*literal);
  auto found = co_await async::with_timeout(options_.resolve_timeout, resolver_.resolve(host));
  if (!found && found.error() == Errc::timed_out && found.error().detail().empty()) {
    co_return fail(Errc::timed_out, "resolve " + host + ": timed out after " +
                                        base::to_string(options_.resolve_timeout));
  }
  co_return found;
}

Task<Result<Socket>> Connector::attempt(const ConnectRequest& request, Endpoint peer) {
  if (!request.is_configured) {
    if (auto allowed = guard_.check(request.host, peer); !allowed) {
      co_return fail(std::move(allowed).error(), "connect " + request.host);
    }
  }
  co_return co_await Socket::connect(peer, request.source);
}

Task<Result<Connected>> Connector::connect_to_one(const ConnectRequest& request, Endpoint peer) {
  auto socket = co_await async::with_timeout(options_.connect_timeout, attempt(request, peer));
  if (socket) co_return Connected{.socket = std::move(*socket), .peer = peer};
  // A timeout of the kernel has an errno, ours does not.
  if (socket.error() == Errc::timed_out && socket.error().error_number() == 0) {
    co_return fail(timed_out(peer, options_.connect_timeout));
  }
  co_return fail(std::move(socket).error());
}

Task<Result<Connected>> Connector::connect_to_first(const ConnectRequest& request,
                                                    std::vector<Endpoint> peers) {
  Race race = {.request = request, .peers = std::move(peers)};
  auto raced = co_await async::with_timeout(options_.connect_timeout, run_race(race));
  if (race.winner) {
    co_return Connected{.socket = std::move(race.winner), .peer = race.winner_peer};
  }
  const bool is_timeout = !raced && raced.error() == Errc::timed_out;
  if (!raced && !is_timeout) co_return fail(std::move(raced).error());
  co_return fail(race.why_all_failed(is_timeout, options_.connect_timeout));
}

Task<Result<void>> Connector::run_race(Race& race) {
  async::Scope attempts(async::OnFailure::keep_going);
  Result<void> waited;
  while (!race.is_over() && waited) {
    async::TimerHandle next_is_due;
    if (race.started < race.peers.size()) {
      ++race.running;
      attempts.spawn(compete(race, race.started++));
      if (race.started < race.peers.size()) {
        next_is_due =
            attempts.loop().call_later(options_.attempt_delay, [&race] { race.changed.set(); });
      }
    }
    race.changed.clear();
    waited = co_await race.changed.wait();
  }
  attempts.cancel();
  auto joined = co_await attempts.join();
  if (!waited) co_return fail(std::move(waited).error());
  co_return joined;
}

Task<void> Connector::compete(Race& race, std::size_t index) {
  const Endpoint peer = race.peers[index];
  auto socket = co_await attempt(race.request, peer);
  --race.running;
  race.changed.set();
  if (socket) {
    // If two attempts succeed at the same time, the second is closed here.
    if (race.winner) co_return;
    race.winner = std::move(*socket);
    race.winner_peer = peer;
  } else if (socket.error() != Errc::cancelled) {
    race.failures.push_back({peer, std::move(socket).error()});
  }
}

}  // namespace gossamer::net
