#include "store/packed_cookie.h"

#include <cstdint>
#include <string>

namespace gossamer::store {
namespace {

enum CookieFlag : std::uint64_t { kHostOnly = 1, kSecure = 2, kHttpOnly = 4, kExpires = 8 };

}  // namespace

void pack_cookie(Packer& row, const wire::Cookie& cookie) {
  row.number((cookie.host_only ? kHostOnly : 0) | (cookie.secure ? kSecure : 0) |
             (cookie.http_only ? kHttpOnly : 0) | (cookie.expires ? kExpires : 0));
  row.number(static_cast<std::uint64_t>(cookie.same_site));
  if (cookie.expires) {
    row.signed_number(cookie.expires->seconds);
    row.number(cookie.expires->nanoseconds);
  }
  for (const std::string* part : {&cookie.name, &cookie.value, &cookie.domain, &cookie.path}) {
    row.text(*part);
  }
}

wire::Cookie unpack_cookie(Unpacker& row) {
  wire::Cookie cookie;
  const std::uint64_t flags = row.number();
  cookie.host_only = (flags & kHostOnly) != 0;
  cookie.secure = (flags & kSecure) != 0;
  cookie.http_only = (flags & kHttpOnly) != 0;
  const std::uint64_t same_site = row.number();
  if (same_site <= static_cast<std::uint64_t>(wire::SameSite::strict)) {
    cookie.same_site = static_cast<wire::SameSite>(same_site);
  }
  if ((flags & kExpires) != 0) {
    const std::int64_t seconds = row.signed_number();
    cookie.expires = {.seconds = seconds, .nanoseconds = static_cast<std::uint32_t>(row.number())};
  }
  for (std::string* part : {&cookie.name, &cookie.value, &cookie.domain, &cookie.path}) {
    *part = row.text();
  }
  return cookie;
}

}  // namespace gossamer::store
