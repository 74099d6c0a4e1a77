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
  std::optional<WallTime> expires = {};  // nothing: it expires with the session
  SameSite same_site = SameSite::unspecified;
  bool host_only = true;  // not sent to subdomains of the domain
  bool secure = false;
  bool http_only = false;

  friend bool operator==(const Cookie&, const Cookie&) = default;
};

// BOUND: for name and value together; longer cookies are rejected.
inline constexpr std::size_t kCookieBytesMax = 4096;
// BOUND: longer attributes are ignored.
inline constexpr std::size_t kCookieAttributeBytesMax = 1024;

// Parses one Set-Cookie value of a response to `url`. Returns nothing if the value is invalid or
// `url` must not set it: control characters, a foreign domain or a public suffix, Secure without
// TLS, or a prefix (__Host-, __Secure-) whose conditions it does not meet.
// A cookie that deletes another one is expired: is_expired(cookie, now).
std::optional<Cookie> parse_set_cookie(std::string_view header_value, const url::Url& url,
                                       WallTime now);

bool is_expired(const Cookie& cookie, WallTime now);

// Returns whether the cookie is sent to `url`, judging by host, path and TLS.
bool goes_to(const Cookie& cookie, const url::Url& url);

// Returns whether the cookie meets the conditions of RFC 6265bis for a name with a prefix, whatever
// its source.
bool lives_up_to_its_prefix(const Cookie& cookie);

// Returns the host of a URL in the form that cookies use: lower case, without the root dot.
std::string_view cookie_host(const url::Url& url);

// Section 5.1.3. Both are in lower case. An address matches only itself.
bool domain_matches(std::string_view host, std::string_view cookie_domain);
// Section 5.1.4. Takes the path of a request, without the query.
bool path_matches(std::string_view request_path, std::string_view cookie_path);
std::string_view default_cookie_path(std::string_view request_path);

}  // namespace gossamer::wire
