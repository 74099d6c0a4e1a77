// Parses answers of name servers (RFC 1035).
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

// The response code of a message (RFC 1035, 4.1.1). Other codes keep their number.
enum class DnsCode : std::uint8_t {
  no_error = 0,
  format_error = 1,
  server_failure = 2,
  no_such_name = 3,
  not_implemented = 4,
  refused = 5,
};

// Returns "SERVFAIL", "REFUSED", or "RCODE 9".
std::string describe(DnsCode code);

struct DnsAnswer {
  DnsCode code = DnsCode::no_error;
  std::vector<async::Endpoint> addresses;  // empty: the name has no such record (or see code)
  // How long the answer is valid: the smallest TTL of the records that led to the addresses or,
  // without any, the zone's value for absence (RFC 2308). Zero if it is not given.
  Duration ttl = Duration::zero();
};

// BOUND: the number of aliases (CNAME) between a name and its addresses.
inline constexpr int kAliasesMax = 16;

// Reads an answer to the query for addresses of `name`. Only records of that name or of its aliases
// count, and at most kAddressesMax addresses.
// Fails with Errc::malformed if it is another answer or invalid, with Errc::dns_failed if its
// aliases form a loop or are too many.
Result<DnsAnswer> read_dns_answer(Bytes message, std::string_view name, DnsType type);

}  // namespace gossamer::net
