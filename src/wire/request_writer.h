// Writes the head of a request. Whatever the data is, no line of it ends early: a CR, LF, NUL or
// other control character is refused, never sent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "url/url.h"

namespace gossamer::wire {

// What stands between method and version (RFC 9112 section 3.2).
enum class TargetForm : std::uint8_t {
  origin,     // /path?query: to the server itself
  absolute,   // http://host/path?query: to a proxy
  authority,  // host:port: CONNECT
  asterisk,   // *: OPTIONS
};

struct RequestField {
  std::string_view name;
  std::string_view value;
};

// BORROWS: everything in it, for the call.
struct Request {
  std::string_view method = "GET";
  const url::Url* url = nullptr;  // http or https, with a host; credentials in it are not sent
  TargetForm form = TargetForm::origin;
  // In the order in which they are sent, after Host. A Host among them replaces ours, in its
  // place at the front. Content-Length and Transfer-Encoding are not for the caller to say.
  std::span<const RequestField> fields = {};
  // Content-Length is sent for it. Without it no body follows, and none is announced but for
  // methods that expect one (POST, PUT, PATCH: zero).
  std::optional<std::uint64_t> body_bytes = {};
};

// The request line, Host, the fields and the empty line. Fails with Errc::invalid_argument if a
// part may not stand where it would.
Result<std::string> write_request(const Request& request);

// The same, appended. On failure `out` is as it was.
Result<void> write_request(const Request& request, std::string& out);

// "example.com:8080"; the port only if it is not the scheme's own.
std::string_view host_field(const url::Url& url);

// "example.com:443": what CONNECT and a pool key name.
std::string authority(const url::Url& url);

}  // namespace gossamer::wire
