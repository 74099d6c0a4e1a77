// A cookie, and how a Set-Cookie header becomes one. RFC 6265bis, sections 5.1 to 5.7.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "url/url.h"

namespace gossamer::wire {

enum class SameSite : std::uint8_t { unspecified, none, lax, strict };

struct Cookie {
  std::string name;  // may be empty: `Set-Cookie: text` is a cookie without a name
  std::string value;
  std::string domain;  // lower case, no dots around it
  std::string path;
  std::optional<WallTime> expires = {};  // nothing: when the session ends
  SameSite same_site = SameSite::unspecified;
  bool host_only = true;  // not for hosts below the domain
  bool secure = false;
  bool http_only = false;

  friend bool operator==(const Cookie&, const Cookie&) = default;
};

// BOUND: name and value together; longer cookies are refused.
inline constexpr std::size_t kCookieBytesMax = 4096;
// BOUND: longer attributes are as if they were not there.
inline constexpr std::size_t kCookieAttributeBytesMax = 1024;

// The cookie that one Set-Cookie value of a response of `url` sets. Nothing if the value is none or
// `url` may not set it: control characters, a domain that is not its own or a public suffix,
// Secure without TLS, prefixes (__Host-, __Secure-) that it does not live up to.
// A cookie that is to be deleted has expired: is_expired(cookie, now).
std::optional<Cookie> parse_set_cookie(std::string_view header_value, const url::Url& url,
                                       WallTime now);

bool is_expired(const Cookie& cookie, WallTime now);

// Whether the cookie goes with a request to `url`, as far as host, path and TLS are concerned.
bool goes_to(const Cookie& cookie, const url::Url& url);

// What RFC 6265bis asks of a name with a prefix, whoever brings the cookie.
bool lives_up_to_its_prefix(const Cookie& cookie);

// The host of a URL as cookies know it: lower case, without the dot of the root.
std::string_view cookie_host(const url::Url& url);

// Section 5.1.3. Both in lower case. An address matches itself alone.
bool domain_matches(std::string_view host, std::string_view cookie_domain);
// Section 5.1.4. The path of a request, without the query.
bool path_matches(std::string_view request_path, std::string_view cookie_path);
std::string_view default_cookie_path(std::string_view request_path);

}  // namespace gossamer::wire
