#pragma once

#include <optional>
#include <string>

#include "async/future.h"
#include "async/loop.h"
#include "async/semaphore.h"
#include "base/result.h"
#include "net/dns_answer.h"
#include "net/resolver.h"

namespace gossamer::net {

// Combines the answers for both families: addresses if there is one, absence if both say so, else a
// failure.
Result<Addresses> combine_families(Result<DnsAnswer> v6, Result<DnsAnswer> v4);

// One lookup: its two pending queries and its waiter. It lives until both have ended, even without
// a waiter.
class DnsLookup {
 public:
  struct Patience {
    Duration for_v6;
    Duration for_v4;
  };

  DnsLookup(async::Loop& loop, std::string host, Patience patience,
            async::Semaphore::Permit permit);

  const std::string& host() const { return host_; }
  async::Future<Addresses> answer() { return answer_.future(); }

  // Call it when a query has ended, with any result. Returns true if it was the last one.
  bool add(DnsType type, Result<DnsAnswer> answer);

 private:
  std::optional<Result<DnsAnswer>>& slot(DnsType type) { return type == DnsType::a ? v4_ : v6_; }
  void wait_no_longer_than(Duration patience);
  void tell();

  async::Loop& loop_;
  const std::string host_;
  const Patience patience_;
  const async::Semaphore::Permit permit_;
  async::Promise<Addresses> answer_;
  std::optional<Result<DnsAnswer>> v6_;
  std::optional<Result<DnsAnswer>> v4_;
  async::TimerHandle impatience_;
  bool told_ = false;
};

}  // namespace gossamer::net
