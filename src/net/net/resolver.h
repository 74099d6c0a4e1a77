#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::net {

// The answer for a host: its addresses, or that it has none.
struct Addresses {
  // Absence of addresses is an answer too, and is cached like one.
  enum class Absence : std::uint8_t {
    none,          // it has addresses
    no_such_name,  // NXDOMAIN
    no_address,    // the name exists, but has no address record (NODATA)
  };

  std::vector<async::Endpoint> v6;  // port 0, as the server ordered them
  std::vector<async::Endpoint> v4;
  Duration ttl = Duration::zero();  // how long it is valid
  Absence absence = Absence::none;
  bool from_cache = false;
  // False if only one family was answered, because the other failed or was late. Do not cache it
  // for long.
  bool complete = true;

  bool empty() const { return v6.empty() && v4.empty(); }
  std::size_t size() const { return v6.size() + v4.size(); }
};

// BOUND: per family and answer; further addresses are ignored.
inline constexpr std::size_t kAddressesMax = 32;

// Resolves names to addresses.
class Resolver {
 public:
  Resolver() = default;
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  virtual ~Resolver() = default;

  // Returns at least one address. Fails with Errc::dns_failed and the exact reason (no such name,
  // no address, SERVFAIL, ...), or with Errc::timed_out. It can be cancelled at any time.
  async::Task<Result<Addresses>> resolve(std::string host);

  // Like resolve(), but a host without addresses is a success with an Absence.
  virtual async::Task<Result<Addresses>> look_up(std::string host) = 0;
};

// Returns the address if the host is one: "192.0.2.1", "2001:db8::1", "[2001:db8::1]".
std::optional<async::Endpoint> literal_address(std::string_view host);

// The same as an answer that never expires.
Addresses addresses_of_literal(const async::Endpoint& address);

// Returns the form in which names are compared: lower case, without a final dot.
std::string canonical_host(std::string_view host);

// Returns whether a name can be queried: labels of 1 to 63 printable ASCII characters, 253 in
// total.
bool is_domain_name(std::string_view host) noexcept;

}  // namespace gossamer::net
