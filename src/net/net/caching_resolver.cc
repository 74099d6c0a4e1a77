#include "net/caching_resolver.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"

namespace gossamer::net {

CachingResolver::CachingResolver(Resolver& next, async::Scope& scope, DnsCacheOptions options)
    : next_(next), scope_(scope), options_(options) {}

async::Task<Result<Addresses>> CachingResolver::look_up(std::string host) {
  if (const auto literal = literal_address(host)) co_return addresses_of_literal(*literal);
  const std::string name = canonical_host(host);
  if (const Addresses* const known = remembered(name, scope_.loop().now())) co_return *known;
  auto [flight, is_first] = flights_.try_emplace(name);
  const async::SharedFuture<Addresses> answer = flight->second.shared_future();
  if (is_first) scope_.spawn(fly(name));
  co_return co_await answer;
}

// Removes the lookup from the table however it ends. After an exception its promise is destroyed
// unresolved, and the waiters receive that as an error.
struct CachingResolver::Landing {
  CachingResolver& resolver;
  const std::string& host;

  ~Landing() { resolver.flights_.erase(host); }
  async::Promise<Addresses>& promise() { return resolver.flights_.at(host); }
};

async::Task<void> CachingResolver::fly(std::string host) {
  Landing landing{*this, host};
  auto addresses = co_await next_.look_up(host);
  if (addresses) {
    remember(host, *addresses, scope_.loop().now());
    landing.promise().resolve(std::move(*addresses));
  } else if (addresses.error() == Errc::cancelled) {
    // The scope was cancelled, but the waiters were not.
    landing.promise().reject(Error(Errc::closed, "the resolver was stopped"));
  } else {
    landing.promise().reject(std::move(addresses).error());
  }
}

const Addresses* CachingResolver::remembered(const std::string& host, Instant now) {
  const auto found = by_host_.find(host);
  if (found == by_host_.end()) return nullptr;
  const Entries::iterator entry = found->second;
  if (entry->expires <= now) {
    forget(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  entry->addresses.ttl = entry->expires - now;
  return &entry->addresses;
}

void CachingResolver::remember(const std::string& host, const Addresses& addresses, Instant now) {
  const Duration keep = time_to_keep(addresses);
  if (keep <= Duration::zero() || options_.names_max == 0) return;
  if (const auto old = by_host_.find(host); old != by_host_.end()) forget(old->second);
  while (entries_.size() >= options_.names_max) forget(std::prev(entries_.end()));
  entries_.push_front({host, addresses, base::add_saturating(now, keep)});
  entries_.front().addresses.from_cache = true;
  by_host_.emplace(entries_.front().host, entries_.begin());
}

Duration CachingResolver::time_to_keep(const Addresses& addresses) const {
  if (addresses.empty() || !addresses.complete) {
    return std::clamp(addresses.ttl, options_.absent_ttl_min, options_.absent_ttl_max);
  }
  return std::clamp(addresses.ttl, options_.ttl_min, options_.ttl_max);
}

void CachingResolver::forget(Entries::iterator entry) {
  by_host_.erase(entry->host);
  entries_.erase(entry);
}

}  // namespace gossamer::net
