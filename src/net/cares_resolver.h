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
  // When a name is given up, whatever its servers still do. Counted from the first packet.
  Duration deadline = 5s;
  // The pause before a question is asked again, which then doubles: one without a reply, one that
  // could not be sent, and one that the server refused.
  Duration try_timeout = 1s;
  int tries = 3;
  // When only one family has been answered: how long the other is waited for. IPv6 is a nicety
  // (RFC 8305, section 3), IPv4 is what most connections end up with.
  Duration patience_for_v6 = 50ms;
  Duration patience_for_v4 = 1s;
  // Lookups under way at once; further ones wait in line. Many, because names whose servers do not
  // answer hold their places until the deadline. They begin 64 at once, then 12,500 a second.
  std::size_t lookups_max = 2000;
};

// Asks name servers for both families at once, through c-ares: UDP with EDNS, TCP for answers that
// do not fit. No thread is blocked, none is made. Names are asked for as they are: no search
// domains. Neither the hosts file nor special names are its business (see LocalNames).
class CaresResolver final : public Resolver {
 public:
  // BORROWS: the loop, which has to be one that can watch descriptors, and outlive this.
  // Fails with Errc::invalid_argument when a server cannot be read.
  static Result<std::unique_ptr<CaresResolver>> make(async::Loop& loop, DnsOptions options = {});
  // REQUIRES: nobody waits in look_up().
  ~CaresResolver() override;

  async::Task<Result<Addresses>> look_up(std::string host) override;

  // Lookups whose questions are with the servers, those included that nobody waits for any more.
  std::size_t lookups_in_flight() const;
  // Questions asked since it was made, two for each lookup.
  std::uint64_t questions_asked() const;

 private:
  class Channel;
  explicit CaresResolver(std::unique_ptr<Channel> channel);
  // Asks once. Sets the deadline when the first question is sent. BORROWS: all.
  async::Task<Result<Addresses>> ask(const std::string& host, Instant& deadline);

  const std::unique_ptr<Channel> channel_;
};

}  // namespace gossamer::net
