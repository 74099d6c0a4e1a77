#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "async/future.h"
#include "async/scope.h"
#include "base/time.h"
#include "net/resolver.h"

namespace gossamer::net {

struct DnsCacheOptions {
  // BOUND: names that are remembered; beyond that, the least recently used one is dropped.
  std::size_t names_max = 100'000;
  // An answer is valid as long as its server says, but within these limits. The minimum protects
  // servers that say 0; the maximum limits how long a host that moved is contacted at its old
  // address.
  Duration ttl_min = 5s;
  Duration ttl_max = 1h;
  // The same for "there is no such name", which is often fixed soon, and for incomplete answers.
  Duration absent_ttl_min = 1s;
  Duration absent_ttl_max = 60s;
};

// Caches the answers of another resolver, including absence, and asks it only once for a name that
// several callers want at the same time. Failures (timeouts, SERVFAIL) go to the current waiters
// and are not cached. Hosts that are addresses pass through.
class CachingResolver final : public Resolver {
 public:
  // BORROWS: next, and the scope in which the lookups run: no waiter owns them, so each one can be
  // cancelled without the others. The resolver must outlive the scope's children.
  CachingResolver(Resolver& next, async::Scope& scope, DnsCacheOptions options = {});

  async::Task<Result<Addresses>> look_up(std::string host) override;

  std::size_t size() const { return entries_.size(); }
  std::size_t lookups_in_flight() const { return flights_.size(); }

 private:
  struct Entry {
    std::string host;
    Addresses addresses;
    Instant expires;
  };
  struct Landing;
  using Entries = std::list<Entry>;  // most recently used first

  const Addresses* remembered(const std::string& host, Instant now);
  void remember(const std::string& host, const Addresses& addresses, Instant now);
  Duration time_to_keep(const Addresses& addresses) const;
  void forget(Entries::iterator entry);
  async::Task<void> fly(std::string host);

  Resolver& next_;
  async::Scope& scope_;
  const DnsCacheOptions options_;
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> by_host_;  // views Entry::host
  std::unordered_map<std::string, async::Promise<Addresses>> flights_;
};

}  // namespace gossamer::net
