#include "url/host.h"

#include <string>

#include "url/code_points.h"
#include "url/domain.h"
#include "url/ip_address.h"
#include "url/percent.h"

namespace gossamer::url {
namespace {

UrlFailure write_bracketed(std::string_view text, Writer& out, HostKind& kind) {
  if (!text.ends_with(']')) return UrlFailure::ipv6_invalid;
  const auto pieces = parse_ipv6(text.substr(1, text.size() - 2));
  if (!pieces) return UrlFailure::ipv6_invalid;
  out.put('[');
  write_ipv6(*pieces, out);
  out.put(']');
  kind = HostKind::ipv6;
  return UrlFailure::none;
}

// https://url.spec.whatwg.org/#concept-opaque-host-parser
UrlFailure write_opaque(std::string_view text, Writer& out, HostKind& kind) {
  for (const char c : text) {
    if (in_set(c, kForbiddenHost)) return UrlFailure::host_invalid;
  }
  percent_encode(text, kC0ControlSet, out);
  kind = text.empty() ? HostKind::none : HostKind::opaque;
  return UrlFailure::none;
}

// Writes a domain with escapes or non-ASCII characters.
[[gnu::noinline]] UrlFailure write_unusual_domain(std::string_view text, Writer& out) {
  std::string decoded;
  percent_decode(text, decoded);
  std::string ascii;
  if (!domain_to_ascii(decoded, ascii) || ascii.empty()) return UrlFailure::domain_invalid;
  for (const char c : ascii) {
    if (in_set(c, kForbiddenDomain)) return UrlFailure::host_invalid;
  }
  out.put(ascii);
  return UrlFailure::none;
}

// Nearly all hosts are ASCII already and are copied in one pass.
UrlFailure write_domain(std::string_view text, Writer& out) {
  const std::uint32_t begin = out.size();
  for (const char c : text) {
    if (!in_set(c, kNeedsDomainWork)) {
      out.put(c);
    } else if (is_alpha(c)) {
      out.put(to_lower(c));
    } else {
      // The byte is forbidden, escaped, or not ASCII. Even a forbidden one can be valid together
      // with the next: '<' and U+0338 compose to U+226E.
      if (all_ascii(text) && text.find('%') == std::string_view::npos) {
        return UrlFailure::host_invalid;
      }
      out.cut(begin);
      return write_unusual_domain(text, out);
    }
  }
  return UrlFailure::none;
}

}  // namespace

UrlFailure write_host(std::string_view text, bool is_special, Writer& out, HostKind& kind) {
  if (text.starts_with('[')) return write_bracketed(text, out, kind);
  if (!is_special) return write_opaque(text, out, kind);
  const std::uint32_t begin = out.size();
  if (const auto failure = write_domain(text, out); failure != UrlFailure::none) return failure;
  kind = HostKind::domain;
  if (!ends_in_a_number(out.from(begin))) return UrlFailure::none;
  const auto address = parse_ipv4(out.from(begin));
  if (!address) return UrlFailure::ipv4_invalid;
  out.cut(begin);
  write_ipv4(*address, out);
  kind = HostKind::ipv4;
  return UrlFailure::none;
}

}  // namespace gossamer::url
