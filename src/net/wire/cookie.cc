#include "wire/cookie.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "url/ip_address.h"
#include "url/public_suffix.h"
#include "wire/http_date.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

// The limit of Chrome and of the standard: no cookie lives longer.
constexpr std::int64_t kLifetimeSecondsMax = 400 * 86'400;
constexpr WallTime kLongAgo = {.seconds = std::numeric_limits<std::int64_t>::min() / 2};

// The contents of a Set-Cookie header, before any check whether the server may set it.
struct Attributes {
  std::optional<std::string_view> domain;
  std::string_view path;
  std::optional<WallTime> expires;
  std::optional<WallTime> max_age;
  SameSite same_site = SameSite::unspecified;
  bool secure = false;
  bool http_only = false;
};

bool is_address(std::string_view host) {
  if (host.starts_with('[')) return true;
  if (host.contains(':')) return url::parse_ipv6(host).has_value();
  return url::ends_in_a_number(host) && url::parse_ipv4(host).has_value();
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return equals_ignoring_case(text.substr(0, prefix.size()), prefix);
}

// Section 5.6: %x00-08 / %x0A-1F / %x7F
bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  });
}

WallTime after_seconds(WallTime now, std::int64_t seconds) {
  now.seconds += std::min(seconds, kLifetimeSecondsMax);
  return now;
}

void read_max_age(std::string_view value, WallTime now, Attributes& attributes) {
  const bool is_negative = value.starts_with('-');
  const std::string_view digits = value.substr(is_negative ? 1 : 0);
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return;
  std::int64_t seconds = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  if (read.ec != std::errc()) seconds = kLifetimeSecondsMax;
  attributes.max_age = is_negative || seconds == 0 ? kLongAgo : after_seconds(now, seconds);
}

SameSite read_same_site(std::string_view value) {
  if (equals_ignoring_case(value, "none")) return SameSite::none;
  if (equals_ignoring_case(value, "lax")) return SameSite::lax;
  if (equals_ignoring_case(value, "strict")) return SameSite::strict;
  return SameSite::unspecified;
}

void read_attribute(std::string_view name, std::string_view value, WallTime now,
                    Attributes& attributes) {
  if (value.size() > kCookieAttributeBytesMax) return;
  if (equals_ignoring_case(name, "expires")) {
    if (const auto date = parse_cookie_date(value)) {
      attributes.expires = std::min(*date, after_seconds(now, kLifetimeSecondsMax));
    }
  } else if (equals_ignoring_case(name, "max-age")) {
    read_max_age(value, now, attributes);
  } else if (equals_ignoring_case(name, "domain")) {
    attributes.domain = value;
  } else if (equals_ignoring_case(name, "path")) {
    attributes.path = value;
  } else if (equals_ignoring_case(name, "secure")) {
    attributes.secure = true;
  } else if (equals_ignoring_case(name, "httponly")) {
    attributes.http_only = true;
  } else if (equals_ignoring_case(name, "samesite")) {
    attributes.same_site = read_same_site(value);
  }
}

// The next part of the header up to a semicolon, split at its first equals sign. `has_equals`
// distinguishes `name` from `name=`.
struct Pair {
  std::string_view name;
  std::string_view value;
  bool has_equals = false;
};

Pair take_pair(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(';'), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) return {.name = trim_blanks(part), .value = {}};
  return {.name = trim_blanks(part.substr(0, equals)),
          .value = trim_blanks(part.substr(equals + 1)),
          .has_equals = true};
}

// Section 5.7, steps 8 to 10. Returns false if the response must not set a cookie for that domain.
bool set_domain(std::optional<std::string_view> attribute, std::string_view host, Cookie& cookie) {
  cookie.domain = host;
  cookie.host_only = true;
  if (!attribute || attribute->empty()) return true;
  std::string domain = lower_case(attribute->starts_with('.') ? attribute->substr(1) : *attribute);
  if (domain.empty() || !domain_matches(host, domain)) return false;
  if (!is_address(host) && url::PublicSuffixList::built_in().registrable_domain(domain).empty()) {
    return domain == host;  // a public suffix can have a cookie for itself
  }
  cookie.domain = std::move(domain);
  cookie.host_only = false;
  return true;
}

}  // namespace

std::optional<Cookie> parse_set_cookie(std::string_view header_value, const url::Url& url,
                                       WallTime now) {
  if (cookie_host(url).empty() || has_control_character(header_value)) return std::nullopt;
  std::string_view rest = header_value;
  Pair pair = take_pair(rest);
  if (!pair.has_equals) std::swap(pair.name, pair.value);
  if (pair.name.empty() && pair.value.empty()) return std::nullopt;
  if (pair.name.size() + pair.value.size() > kCookieBytesMax) return std::nullopt;

  Attributes attributes;
  while (!rest.empty()) {
    const Pair attribute = take_pair(rest);
    read_attribute(attribute.name, attribute.value, now, attributes);
  }
  Cookie cookie = {.name = std::string(pair.name), .value = std::string(pair.value)};
  if (!set_domain(attributes.domain, cookie_host(url), cookie)) return std::nullopt;
  cookie.path =
      attributes.path.starts_with('/') ? attributes.path : default_cookie_path(url.pathname());
  cookie.expires = attributes.max_age ? attributes.max_age : attributes.expires;
  cookie.same_site = attributes.same_site;
  cookie.secure = attributes.secure;
  cookie.http_only = attributes.http_only;
  if (cookie.secure && url.scheme_kind() != url::SchemeKind::https) return std::nullopt;
  // __Host- requires an explicit path; the default path is not enough.
  if (starts_with_ignoring_case(cookie.name, "__Host-") && attributes.path != "/") {
    return std::nullopt;
  }
  if (!lives_up_to_its_prefix(cookie)) return std::nullopt;
  return cookie;
}

bool lives_up_to_its_prefix(const Cookie& cookie) {
  // The server would read the value of a nameless cookie as a name.
  if (cookie.name.empty()) {
    return !starts_with_ignoring_case(cookie.value, "__Secure-") &&
           !starts_with_ignoring_case(cookie.value, "__Host-");
  }
  if (starts_with_ignoring_case(cookie.name, "__Secure-")) return cookie.secure;
  if (starts_with_ignoring_case(cookie.name, "__Host-")) {
    return cookie.secure && cookie.host_only && cookie.path == "/";
  }
  return true;
}

bool is_expired(const Cookie& cookie, WallTime now) {
  return cookie.expires && *cookie.expires <= now;
}

bool goes_to(const Cookie& cookie, const url::Url& url) {
  const std::string_view host = cookie_host(url);
  const bool is_host =
      cookie.host_only ? host == cookie.domain : domain_matches(host, cookie.domain);
  return is_host && (!cookie.secure || url.scheme_kind() == url::SchemeKind::https) &&
         path_matches(url.pathname(), cookie.path);
}

std::string_view cookie_host(const url::Url& url) {
  std::string_view host = url.hostname();
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

bool domain_matches(std::string_view host, std::string_view cookie_domain) {
  if (host == cookie_domain) return true;
  if (cookie_domain.empty() || host.size() <= cookie_domain.size()) return false;
  return host.ends_with(cookie_domain) && host[host.size() - cookie_domain.size() - 1] == '.' &&
         !is_address(host);
}

bool path_matches(std::string_view request_path, std::string_view cookie_path) {
  if (!request_path.starts_with(cookie_path)) return false;
  return request_path.size() == cookie_path.size() || cookie_path.ends_with('/') ||
         request_path[cookie_path.size()] == '/';
}

std::string_view default_cookie_path(std::string_view request_path) {
  if (!request_path.starts_with('/')) return "/";
  const std::size_t slash = request_path.rfind('/');
  return slash == 0 ? "/" : request_path.substr(0, slash);
}

}  // namespace gossamer::wire
