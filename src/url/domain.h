// Domain names in many scripts, made ASCII for DNS: IDNA as UTS #46 processes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::url {

// BOUND: of a domain that is not ASCII, before and after. DNS stops at 253; the cost of Punycode
// grows with the square.
inline constexpr std::size_t kDomainBytesMax = 4096;

// Appends the ASCII form of a domain (UTF-8, no escapes) to `out`. False, and `out` as it was, if
// IDNA refuses the domain. Code points that no host may have are the caller's concern.
// A domain that is ASCII is only folded to lower case, even where it has "xn--" labels that mean
// nothing: the web has such hosts.
// https://url.spec.whatwg.org/#concept-domain-to-ascii, not strict
bool domain_to_ascii(std::string_view domain, std::string& out);

// The form for people: "xn--bcher-kva.example" as "buecher" with its umlaut. Labels that mean
// nothing stay as they are. https://url.spec.whatwg.org/#concept-domain-to-unicode, not strict
std::string domain_to_unicode(std::string_view domain);

}  // namespace gossamer::url
