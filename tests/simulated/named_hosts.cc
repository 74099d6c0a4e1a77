#include "tests/simulated/named_hosts.h"

#include <algorithm>
#include <utility>

#include "async/sleep.h"
#include "base/check.h"

namespace gossamer::sim {

using async::Endpoint;
using net::Addresses;

// The random events of one lookup. All of them are drawn, whether they are used or not: a changed
// chance must not shift the other draws.
struct NamedHosts::Weather {
  Duration delay;
  Duration ttl;
  Duration absent_ttl;
  bool fails;
  bool goes_silent;
  bool only_one;
  bool keeps_v6;
};

namespace {

// Counts a lookup as long as it lives, however it ends.
class Counted {
 public:
  explicit Counted(std::uint64_t& count) : count_(count) { ++count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --count_; }

 private:
  std::uint64_t& count_;
};

}  // namespace

NamedHostsOptions NamedHostsOptions::stormy(base::Random& random) {
  NamedHostsOptions options;
  options.delay = {draw({Duration::zero(), 20ms}, random), draw({20ms, 2s}, random)};
  options.ttl = {Duration::zero(), draw({Duration::zero(), 120s}, random)};
  options.absent_ttl = {Duration::zero(), draw({Duration::zero(), 30s}, random)};
  options.fails = random.unit() * 0.2;
  options.goes_silent = random.unit() * 0.2;
  options.only_one = random.unit() * 0.3;
  return options;
}

NamedHosts::NamedHosts(std::uint64_t seed, NamedHostsOptions options)
    : options_(options), random_(base::Random(seed).fork("named hosts")) {
  CHECK(options.delay.valid() && options.ttl.valid() && options.absent_ttl.valid());
}

void NamedHosts::add(std::string_view name, std::string_view address) {
  auto endpoint = Endpoint::parse_address(address);
  CHECK(endpoint.has_value(), "'{}' is no address", address);
  add(name, *endpoint);
}

void NamedHosts::add(std::string_view name, const Endpoint& address) {
  Addresses& addresses = names_[net::canonical_host(name)];
  addresses.absence = Addresses::Absence::none;
  Endpoint bare = address;
  bare.port = 0;
  (address.family == Endpoint::Family::v6 ? addresses.v6 : addresses.v4).push_back(bare);
}

void NamedHosts::add_without_address(std::string_view name) {
  names_[net::canonical_host(name)] = {.absence = Addresses::Absence::no_address};
}

void NamedHosts::remove(std::string_view name) { names_.erase(net::canonical_host(name)); }

NamedHosts::Weather NamedHosts::draw_weather() {
  return {.delay = draw(options_.delay, random_),
          .ttl = draw(options_.ttl, random_),
          .absent_ttl = draw(options_.absent_ttl, random_),
          .fails = random_.chance(options_.fails),
          .goes_silent = random_.chance(options_.goes_silent),
          .only_one = random_.chance(options_.only_one),
          .keeps_v6 = random_.chance(0.5)};
}

Addresses NamedHosts::answer(const std::string& name, const Weather& weather) const {
  const auto found = names_.find(name);
  if (found == names_.end()) {
    return {.ttl = weather.absent_ttl, .absence = Addresses::Absence::no_such_name};
  }
  Addresses addresses = found->second;
  addresses.ttl = addresses.empty() ? weather.absent_ttl : weather.ttl;
  if (weather.only_one && !addresses.v6.empty() && !addresses.v4.empty()) {
    (weather.keeps_v6 ? addresses.v4 : addresses.v6).clear();
    addresses.complete = false;
  }
  return addresses;
}

async::Task<Result<Addresses>> NamedHosts::look_up(std::string host) {
  ++lookups_;
  const Counted counted(in_flight_);
  in_flight_max_ = std::max(in_flight_max_, in_flight_);
  const Weather weather = draw_weather();
  const Duration delay = weather.goes_silent ? options_.patience : weather.delay;
  if (auto slept = co_await async::sleep(delay); !slept) co_return fail(std::move(slept).error());
  if (weather.goes_silent) {
    co_return fail(Errc::timed_out,
                   "resolve " + host + ": no answer within " + base::to_string(options_.patience));
  }
  if (weather.fails) {
    co_return fail(Errc::dns_failed, "resolve " + host + ": the name server answered SERVFAIL");
  }
  co_return answer(net::canonical_host(host), weather);
}

}  // namespace gossamer::sim
