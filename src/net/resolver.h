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

// What is known of a host: where it is, or that it is nowhere.
struct Addresses {
  // That a name has no address is an answer, too, and is remembered like one.
  enum class Absence : std::uint8_t {
    none,          // it has addresses
    no_such_name,  // NXDOMAIN
    no_address,    // the name is there, but nothing of ours (NODATA)
  };

  std::vector<async::Endpoint> v6;  // port 0, as the server ordered them
  std::vector<async::Endpoint> v4;
  Duration ttl = Duration::zero();  // how long it holds
  Absence absence = Absence::none;
  bool from_cache = false;
  // False: only one family was heard of, the other failed or was late. Not to be kept for long.
  bool complete = true;

  bool empty() const { return v6.empty() && v4.empty(); }
  std::size_t size() const { return v6.size() + v4.size(); }
};

// BOUND: of one family, in one answer; what a server sends beyond is not used.
inline constexpr std::size_t kAddressesMax = 32;

// Turns names into addresses.
class Resolver {
 public:
  Resolver() = default;
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  virtual ~Resolver() = default;

  // At least one address. Fails with Errc::dns_failed and what exactly was the matter (no such
  // name, no address, SERVFAIL, ...), or with Errc::timed_out. May be cancelled at any time.
  async::Task<Result<Addresses>> resolve(std::string host);

  // As resolve(), but a host without addresses is a success with an Absence.
  virtual async::Task<Result<Addresses>> look_up(std::string host) = 0;
};

// The address that a host already is: "192.0.2.1", "2001:db8::1", "[2001:db8::1]".
std::optional<async::Endpoint> literal_address(std::string_view host);

// The same as an answer that holds for ever.
Addresses addresses_of_literal(const async::Endpoint& address);

// How names are compared: lower case, without a final dot.
std::string canonical_host(std::string_view host);

// What can be asked of a name server: labels of 1 to 63 printable ASCII characters, 253 in all.
bool is_domain_name(std::string_view host) noexcept;

}  // namespace gossamer::net
