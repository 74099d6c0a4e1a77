#include "url/url.h"

#include <utility>

#include "url/parser.h"

namespace gossamer::url {

std::string_view describe(UrlFailure failure) noexcept {
  switch (failure) {
    case UrlFailure::none: return "it is a URL";
    case UrlFailure::relative_without_base: return "it is relative and there is no base URL";
    case UrlFailure::host_missing: return "the host is missing";
    case UrlFailure::host_invalid: return "the host contains an invalid character";
    case UrlFailure::domain_invalid: return "the host is not a valid international domain name";
    case UrlFailure::ipv4_invalid: return "the host is not a valid IPv4 address";
    case UrlFailure::ipv6_invalid: return "the host is not a valid IPv6 address";
    case UrlFailure::port_invalid: return "the port is not a number from 0 to 65535";
    case UrlFailure::too_long: return "it is too long";
  }
  return "unknown";
}

std::uint16_t default_port(SchemeKind kind) noexcept {
  switch (kind) {
    case SchemeKind::http:
    case SchemeKind::ws: return 80;
    case SchemeKind::https:
    case SchemeKind::wss: return 443;
    case SchemeKind::ftp: return 21;
    case SchemeKind::file:
    case SchemeKind::other: return 0;
  }
  return 0;
}

Url::Url(Url&& other) noexcept
    : href_(std::exchange(other.href_, {})), parts_(std::exchange(other.parts_, {})) {}

Url& Url::operator=(Url&& other) noexcept {
  if (this != &other) {
    href_ = std::exchange(other.href_, {});
    parts_ = std::exchange(other.parts_, {});
  }
  return *this;
}

Result<Url> Url::parse(std::string_view text, const Url* base, QueryEncoder* query_encoder) {
  Url url;
  const UrlFailure failure = url.assign(text, base, query_encoder);
  if (failure != UrlFailure::none) return fail(Errc::malformed, std::string(describe(failure)));
  url.href_.shrink_to_fit();
  return url;
}

UrlFailure Url::assign(std::string_view text, const Url* base, QueryEncoder* query_encoder) {
  return Parser::parse_into(*this, text, base, query_encoder);
}

UrlFailure Url::assign_beside(std::string_view text, const Url& other) {
  return assign(text, Parser::is_beside(text, other) ? &other : nullptr);
}

std::string_view Url::scheme() const noexcept {
  return part(0, parts_.scheme_end == 0 ? 0 : parts_.scheme_end - 1);
}

std::string_view Url::username() const noexcept {
  return parts_.has_authority ? part(parts_.scheme_end + 2, parts_.username_end)
                              : std::string_view();
}

std::string_view Url::password() const noexcept {
  // With credentials, host_begin is the position after the '@'.
  const bool has_password = parts_.host_begin > parts_.username_end + 1;
  return has_password ? part(parts_.username_end + 1, parts_.host_begin - 1) : std::string_view();
}

bool Url::has_credentials() const noexcept {
  return parts_.has_authority && parts_.host_begin > parts_.scheme_end + 2;
}

std::string_view Url::host() const noexcept {
  return part(parts_.host_begin, parts_.has_port ? parts_.path_begin : parts_.host_end);
}

std::string_view Url::port() const noexcept {
  return parts_.has_port ? part(parts_.host_end + 1, parts_.path_begin) : std::string_view();
}

std::optional<std::uint16_t> Url::port_number() const noexcept {
  return parts_.has_port ? std::optional(parts_.port) : std::nullopt;
}

std::uint16_t Url::effective_port() const noexcept {
  return parts_.has_port ? parts_.port : default_port(parts_.scheme_kind);
}

std::string_view Url::search() const noexcept {
  const bool is_empty = parts_.query_end <= parts_.path_end + 1;
  return is_empty ? std::string_view() : part(parts_.path_end, parts_.query_end);
}

std::string_view Url::hash() const noexcept {
  const std::string_view hash = std::string_view(href_).substr(parts_.query_end);
  return hash.size() > 1 ? hash : std::string_view();
}

std::optional<std::string_view> Url::query() const noexcept {
  if (parts_.query_end == parts_.path_end) return std::nullopt;
  return part(parts_.path_end + 1, parts_.query_end);
}

std::optional<std::string_view> Url::fragment() const noexcept {
  if (parts_.query_end == href_.size()) return std::nullopt;
  return std::string_view(href_).substr(parts_.query_end + 1);
}

std::string_view Url::request_target() const noexcept {
  return part(parts_.path_begin, parts_.query_end);
}

std::string_view Url::without_fragment() const noexcept { return part(0, parts_.query_end); }

// https://url.spec.whatwg.org/#concept-url-origin
std::string Url::origin() const {
  if (scheme() == "blob") {
    Url inner;
    const bool parses = inner.assign(pathname()) == UrlFailure::none;
    return parses && inner.is_http_or_https() ? inner.origin() : "null";
  }
  if (!is_special() || parts_.scheme_kind == SchemeKind::file) return "null";
  std::string origin(protocol());
  origin += "//";
  origin += host();
  return origin;
}

}  // namespace gossamer::url
