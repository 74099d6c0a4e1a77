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
  // BOUND: names that are remembered; beyond, the one that was not asked for longest is forgotten.
  std::size_t names_max = 100'000;
  // An answer holds as long as its server says, but within these. A floor spares servers that say
  // 0; a ceiling bounds how long a host that moved is looked for at its old place.
  Duration ttl_min = 5s;
  Duration ttl_max = 1h;
  // The same for "there is no such name", which is often mended soon, and for half an answer.
  Duration absent_ttl_min = 1s;
  Duration absent_ttl_max = 60s;
};

// Remembers what another resolver found, absence included, and asks it only once for a name that
// many want at the same time. Failures (timeouts, SERVFAIL) are told to those who wait and
// forgotten: the next one asks again. Addresses as hosts pass through.
class CachingResolver final : public Resolver {
 public:
  // BORROWS: next, and the scope, in which the lookups run: nobody who waits owns them, so each can
  // be cancelled without the others. The resolver must outlive the scope's children.
  CachingResolver(Resolver& next, async::Scope& scope, DnsCacheOptions options = {});

  async::Task<Result<Addresses>> look_up(std::string host) override;

  std::size_t size() const { return entries_.size(); }
  std::size_t lookups_in_flight() const { return flights_.size(); }
  void clear();

 private:
  struct Entry {
    std::string host;
    Addresses addresses;
    Instant expires;
  };
  struct Landing;
  using Entries = std::list<Entry>;  // the one asked for last is the first

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
