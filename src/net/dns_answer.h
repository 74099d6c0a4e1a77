// Answers of name servers, as bytes (RFC 1035).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "async/endpoint.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::net {

enum class DnsType : std::uint16_t { a = 1, aaaa = 28 };

// The response code of a message (RFC 1035, 4.1.1). Others have their number.
enum class DnsCode : std::uint8_t {
  no_error = 0,
  format_error = 1,
  server_failure = 2,
  no_such_name = 3,
  not_implemented = 4,
  refused = 5,
};

// "SERVFAIL", "REFUSED", or "RCODE 9".
std::string describe(DnsCode code);

struct DnsAnswer {
  DnsCode code = DnsCode::no_error;
  std::vector<async::Endpoint> addresses;  // none: the name has no such record (or see code)
  // How long the answer holds: the least of the records that led to the addresses or, without
  // any, what the zone says about absence (RFC 2308). Zero when nothing says so.
  Duration ttl = Duration::zero();
};

// BOUND: so many aliases (CNAME) lead from a name to its addresses at most.
inline constexpr int kAliasesMax = 16;

// Reads an answer to the question for addresses of `name`. Only records that belong to the name
// or to what its aliases lead to are believed. At most kAddressesMax addresses.
// Fails with Errc::malformed when it is no such answer or broken, with Errc::dns_failed when its
// aliases go in a circle or on for too long.
Result<DnsAnswer> read_dns_answer(Bytes message, std::string_view name, DnsType type);

}  // namespace gossamer::net
