#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "async/loop.h"
#include "base/time.h"
#include "net/resolver.h"

namespace gossamer::net {

struct DnsOptions {
  // Name servers: "192.0.2.53", "192.0.2.53:5353", "[2001:db8::53]:53". None: the system's
  // (/etc/resolv.conf).
  std::vector<std::string> servers;
  // A lookup fails after this time, whatever its servers do. Counted from the first packet.
  Duration deadline = 5s;
  // The pause before a query is repeated, which then doubles. It applies to queries without a
  // reply, queries that could not be sent, and refused ones.
  Duration try_timeout = 1s;
  int tries = 3;
  // How long to wait for the other family when only one was answered. IPv6 is optional (RFC 8305,
  // section 3); most connections use IPv4.
  Duration patience_for_v6 = 50ms;
  Duration patience_for_v4 = 1s;
  // Concurrent lookups; further ones wait in line. The limit is high, because names whose servers
  // do not answer occupy their slots until the deadline. 64 start immediately, then 12,500 per
  // second.
  std::size_t lookups_max = 2000;
};

// Queries name servers for both families concurrently, through c-ares: UDP with EDNS, TCP for
// answers that do not fit. It uses no threads. Names are looked up as given, without search
// domains. It ignores the hosts file and special names (see LocalNames).
class CaresResolver final : public Resolver {
 public:
  // BORROWS: the loop, which must be able to watch descriptors, and must outlive this object.
  // Fails with Errc::invalid_argument if a server address is invalid.
  static Result<std::unique_ptr<CaresResolver>> make(async::Loop& loop, DnsOptions options = {});
  // REQUIRES: no caller waits in look_up().
  ~CaresResolver() override;

  async::Task<Result<Addresses>> look_up(std::string host) override;

  // Returns the number of lookups with pending queries, including those without a waiter.
  std::size_t lookups_in_flight() const;
  // Returns the number of queries so far, two for each lookup.
  std::uint64_t questions_asked() const;

 private:
  class Channel;
  explicit CaresResolver(std::unique_ptr<Channel> channel);
  // Makes one attempt. Sets the deadline when the first query is sent. BORROWS: all.
  async::Task<Result<Addresses>> ask(const std::string& host, Instant& deadline);

  const std::unique_ptr<Channel> channel_;
};

}  // namespace gossamer::net
