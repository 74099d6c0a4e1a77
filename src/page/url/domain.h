// Converts domain names in all scripts to ASCII for DNS: IDNA as UTS #46 defines it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::url {

// BOUND: for a domain that is not ASCII, before and after conversion. DNS stops at 253; the cost of
// Punycode grows with the square.
inline constexpr std::size_t kDomainBytesMax = 4096;

// Appends the ASCII form of a domain (UTF-8, no escapes) to `out`. Returns false and leaves `out`
// unchanged if IDNA rejects the domain. The caller must reject code points that are forbidden in
// hosts.
// An ASCII domain is only converted to lower case, even if it has invalid "xn--" labels: the web
// has such hosts.
// https://url.spec.whatwg.org/#concept-domain-to-ascii, not strict
bool domain_to_ascii(std::string_view domain, std::string& out);

}  // namespace gossamer::url
