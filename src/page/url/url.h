// A URL as the WHATWG URL Standard understands it: parsed, resolved against a base, serialised.
//
//   Result<Url> page = Url::parse("https://example.com/a/b?q#top");
//   Result<Url> link = page->resolve("../c");          // https://example.com/c
//
// For millions of links of which most are dropped, reuse one Url:
//
//   Url link;                                          // owns the one buffer
//   if (link.assign(text, &page) != UrlFailure::none) continue;
//
// https://url.spec.whatwg.org/
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::url {

class Parser;
class QueryEncoder;

// BOUND: longer texts are rejected. Offsets are 32 bits wide, and escaping turns one byte into
// three.
inline constexpr std::size_t kUrlBytesMax = std::size_t{1} << 28;

// Why a text is not a URL.
enum class UrlFailure : std::uint8_t {
  none,
  relative_without_base,  // no scheme, and nothing to resolve it against
  host_missing,           // http:// and similar schemes require a host
  host_invalid,           // the host contains a forbidden code point
  domain_invalid,         // IDNA rejects it
  ipv4_invalid,           // the last label is a number, but the host is not an IPv4 address
  ipv6_invalid,           // the text between the brackets is not an IPv6 address
  port_invalid,           // not a number, or above 65535
  too_long,               // see kUrlBytesMax
};

// Returns a phrase for people: "the port is not a number from 0 to 65535".
std::string_view describe(UrlFailure failure) noexcept;

// The special schemes, which have their own rules and, except for file, a default port.
enum class SchemeKind : std::uint8_t { other, http, https, ws, wss, ftp, file };

// Returns 0 if the scheme has no default port.
std::uint16_t default_port(SchemeKind kind) noexcept;

enum class HostKind : std::uint8_t {
  none,    // mailto:x, and also file:///x and foo:///x, whose host is there but empty
  domain,  // of a special scheme: ASCII, lower case, IDNA applied
  ipv4,
  ipv6,
  opaque,  // of another scheme: percent-encoded, otherwise unchanged
};

// One string and the positions of its parts. A default-constructed or moved-from Url is empty():
// all its parts are empty texts.
//
// BORROWS: every view that a member returns views this object and is valid until it changes.
class Url {
 public:
  Url() = default;
  Url(const Url&) = default;
  Url& operator=(const Url&) = default;
  Url(Url&& other) noexcept;
  Url& operator=(Url&& other) noexcept;
  ~Url() = default;

  // The text is UTF-8; other bytes count as U+FFFD. Fails with Errc::malformed and a detail that
  // says why. With an encoder, the query of the special schemes (except ws and wss) is written in
  // its encoding, as browsers do for pages that are not UTF-8.
  static Result<Url> parse(std::string_view text, const Url* base = nullptr,
                           QueryEncoder* query_encoder = nullptr);
  Result<Url> resolve(std::string_view reference) const { return parse(reference, this); }

  // Parses into this object and reuses its buffer. Once that has grown, it allocates only for hosts
  // with escapes or non-ASCII characters, for queries in other encodings, and for tabs in texts
  // above 1 KiB. On failure the Url is empty.
  // REQUIRES: neither the text nor the base is part of this object.
  [[nodiscard]] UrlFailure assign(std::string_view text, const Url* base = nullptr,
                                  QueryEncoder* query_encoder = nullptr);
  // Parses a text without a base; faster if `other` has the same part before the path.
  [[nodiscard]] UrlFailure assign_beside(std::string_view text, const Url& other);

  bool empty() const noexcept { return href_.empty(); }

  // The parts, named and divided as in the URL API of browsers:
  //
  //   https://user:word@example.com:8080/a/b?q#top
  //   protocol    https:
  //   username    user            password   word
  //   host        example.com:8080           (hostname without, port with digits only)
  //   pathname    /a/b            search     ?q            hash  #top
  //
  // An absent part is an empty text; so are the search and hash of `http://h/?#`.
  const std::string& href() const noexcept { return href_; }
  std::string_view protocol() const noexcept { return part(0, parts_.scheme_end); }
  std::string_view username() const noexcept;
  std::string_view password() const noexcept;
  std::string_view host() const noexcept;
  std::string_view hostname() const noexcept { return part(parts_.host_begin, parts_.host_end); }
  std::string_view port() const noexcept;
  std::string_view pathname() const noexcept { return part(parts_.path_begin, parts_.path_end); }
  std::string_view search() const noexcept;
  std::string_view hash() const noexcept;
  // "https://example.com:8080", or "null" for an opaque origin.
  std::string origin() const;

  // The parts of the standard's model.
  std::string_view scheme() const noexcept;  // without the colon
  std::optional<std::uint16_t> port_number() const noexcept;
  std::optional<std::string_view> query() const noexcept;     // without the question mark
  std::optional<std::string_view> fragment() const noexcept;  // without the number sign

  // For a client: the port to connect to (0: the scheme has none), the request target of an HTTP
  // request (path and query), and the URL without its fragment.
  std::uint16_t effective_port() const noexcept;
  std::string_view request_target() const noexcept;
  std::string_view without_fragment() const noexcept;

  SchemeKind scheme_kind() const noexcept { return parts_.scheme_kind; }
  HostKind host_kind() const noexcept { return parts_.host_kind; }
  bool is_special() const noexcept { return parts_.scheme_kind != SchemeKind::other; }
  bool is_http_or_https() const noexcept {
    return parts_.scheme_kind == SchemeKind::http || parts_.scheme_kind == SchemeKind::https;
  }
  bool has_credentials() const noexcept;
  bool has_opaque_path() const noexcept { return parts_.opaque_path; }

  // Two URLs are equal if their spelling is equal; see crawl_identity.h for "the same page".
  friend bool operator==(const Url& a, const Url& b) noexcept { return a.href_ == b.href_; }
  friend std::strong_ordering operator<=>(const Url& a, const Url& b) noexcept {
    return a.href_ <=> b.href_;
  }

 private:
  friend class Parser;

  // Positions in href_. With a host:
  //
  //   https://user:word@example.com:8080/a/b?q#top
  //         |     |     |          |    |   | |   |
  //         |     |     |          |    |   | |   href_.size()
  //         |     |     |          |    |   | query_end
  //         |     |     |          |    |   path_end
  //         |     |     |          |    path_begin
  //         |     |     |          host_end
  //         |     |     host_begin (= scheme_end + 2 without credentials)
  //         |     username_end
  //         scheme_end
  //
  // Without one, username_end = host_begin = host_end = scheme_end, and path_begin is the same, or
  // two more where "/." prevents a path that begins with "//" from being read as a host.
  // No query: query_end = path_end. No fragment: query_end = href_.size().
  struct Parts {
    std::uint32_t scheme_end = 0;
    std::uint32_t username_end = 0;
    std::uint32_t host_begin = 0;
    std::uint32_t host_end = 0;
    std::uint32_t path_begin = 0;
    std::uint32_t path_end = 0;
    std::uint32_t query_end = 0;
    std::uint16_t port = 0;  // meaningful if has_port
    bool has_port = false;
    bool has_authority = false;  // the host is not null: "//" follows the scheme
    bool opaque_path = false;
    SchemeKind scheme_kind = SchemeKind::other;
    HostKind host_kind = HostKind::none;
  };

  std::string_view part(std::uint32_t begin, std::uint32_t end) const noexcept {
    return {href_.data() + begin, end - begin};
  }

  std::string href_;
  Parts parts_;
};

}  // namespace gossamer::url
