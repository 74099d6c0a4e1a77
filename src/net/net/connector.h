#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/endpoint.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "net/address_guard.h"
#include "net/resolver.h"

namespace gossamer::net {

struct ConnectRequest {
  std::string host;  // a name or an address, as in a URL: "a.example", "[::1]"
  std::uint16_t port = 0;
  // The addresses of the host, if the caller knows them; their ports are ignored. Empty: the host
  // is resolved.
  std::vector<async::Endpoint> addresses;
  // The local address to connect from; addresses of the other family are then not tried.
  std::optional<async::Endpoint> source;
  // The user configured this host (a proxy): its address is not restricted.
  bool is_configured = false;
};

struct Connected {
  async::Socket socket;
  async::Endpoint peer;
  Duration dns_took = Duration::zero();      // zero if no lookup was necessary
  Duration connect_took = Duration::zero();  // from the first attempt to the successful one
  bool dns_from_cache = false;
};

struct ConnectOptions {
  // For finding the addresses, including the wait for a slot.
  Duration resolve_timeout = 10s;
  // For all connection attempts together.
  Duration connect_timeout = 10s;
  // After this time without a connection, the next address is tried concurrently. RFC 8305: 250 ms;
  // less wastes connections, more makes broken IPv6 noticeable.
  Duration attempt_delay = 250ms;
  // BOUND: how many addresses of a host are tried.
  std::size_t attempts_max = 10;
};

// The only place where connections begin. Finds the addresses of a host and connects to the first
// that answers: Happy Eyeballs (RFC 8305), the families in turn and IPv6 first. One resolution
// serves one connection: the guard checks the very address that is used, directly before its use.
class Connector {
 public:
  // BORROWS: the resolver, which must outlive every connect().
  explicit Connector(Resolver& resolver, AddressGuard guard = {}, ConnectOptions options = {});

  // Fails with Errc::denied (the guard), Errc::dns_failed, Errc::timed_out, or with the most
  // informative error of the attempts. The message names every address that was tried:
  //   timed_out: connect 93.184.216.34:443: timed out after 10 s
  // BORROWS: the connector.
  async::Task<Result<Connected>> connect(ConnectRequest request);

  const ConnectOptions& options() const { return options_; }
  const AddressGuard& guard() const { return guard_; }
  // For answers that the caller looked up for other reasons: the guard remembers the first one.
  void learn(std::string_view host, const Addresses& answer) {
    guard_.learn(host, answer.v6, answer.v4);
  }

 private:
  struct Race;

  async::Task<Result<Addresses>> find_addresses(std::string host);
  // The only caller of Socket::connect(). BORROWS: the request, while it is awaited.
  async::Task<Result<async::Socket>> attempt(const ConnectRequest& request, async::Endpoint peer);
  // BORROWS: the request, while it is awaited.
  async::Task<Result<Connected>> connect_to_one(const ConnectRequest& request,
                                                async::Endpoint peer);
  // BORROWS: the request, while it is awaited.
  async::Task<Result<Connected>> connect_to_first(const ConnectRequest& request,
                                                  std::vector<async::Endpoint> peers);
  // BORROWS: the race, which the awaiting frame owns.
  async::Task<Result<void>> run_race(Race& race);
  // One attempt of it. BORROWS: the race, as above.
  async::Task<void> compete(Race& race, std::size_t index);

  Resolver& resolver_;
  AddressGuard guard_;
  const ConnectOptions options_;
};

}  // namespace gossamer::net
