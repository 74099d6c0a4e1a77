#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "async/endpoint.h"
#include "base/random.h"
#include "base/time.h"
#include "net/resolver.h"
#include "tests/simulated/range.h"

namespace gossamer::sim {

// The behaviour of the name servers of a simulated world. The defaults have no faults.
struct NamedHostsOptions {
  Range<Duration> delay = {1ms, 1ms};
  // How long answers are valid.
  Range<Duration> ttl = {60s, 60s};
  Range<Duration> absent_ttl = {10s, 10s};

  // Faults, each the chance per lookup.
  double fails = 0;        // the server answers SERVFAIL
  double goes_silent = 0;  // there is no answer until `patience` is over
  double only_one = 0;     // one family is left out, as if its answer were late
  Duration patience = 5s;

  // Draws every number, including faults.
  static NamedHostsOptions stormy(base::Random& random);
};

// The names of a simulated world: a table, with delays and failures drawn from the seed. A name
// that is not in the table does not exist.
//
//   sim::NamedHosts hosts(world.seed());
//   hosts.add("a.example", *async::Endpoint::parse_address("192.0.2.1"));
class NamedHosts final : public net::Resolver {
 public:
  explicit NamedHosts(std::uint64_t seed, NamedHostsOptions options = {});

  // Adds an address to the name. REQUIRES: it is a valid address, "192.0.2.1" or "2001:db8::1".
  void add(std::string_view name, std::string_view address);
  void add(std::string_view name, const async::Endpoint& address);
  // Adds a name without an address.
  void add_without_address(std::string_view name);
  // Removes the name.
  void remove(std::string_view name);

  async::Task<Result<net::Addresses>> look_up(std::string host) override;

  std::uint64_t lookups() const { return lookups_; }
  std::uint64_t lookups_in_flight() const { return in_flight_; }
  std::uint64_t lookups_in_flight_max() const { return in_flight_max_; }

 private:
  struct Weather;

  Weather draw_weather();
  net::Addresses answer(const std::string& name, const Weather& weather) const;

  const NamedHostsOptions options_;
  base::Random random_;
  std::unordered_map<std::string, net::Addresses> names_;  // never iterated over
  std::uint64_t lookups_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t in_flight_max_ = 0;
};

}  // namespace gossamer::sim
