// Writes the head of a request. Data cannot inject a line: a CR, LF, NUL or other control character
// is an error and is never sent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "url/url.h"

namespace gossamer::wire {

// The part between method and version (RFC 9112 section 3.2).
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
  // Fields in the order in which they are sent, after Host. A Host among them replaces ours, and is
  // sent first. Content-Length and Transfer-Encoding must not be among them.
  std::span<const RequestField> fields = {};
  // Sent as Content-Length. Without it there is no body, and only methods that expect one (POST,
  // PUT, PATCH) announce a length: zero.
  std::optional<std::uint64_t> body_bytes = {};
};

// Returns whether a field concerns a connection of HTTP/1.1, so that HTTP/2 has no place for it
// (RFC 9113 section 8.2.2).
bool is_of_http1(const RequestField& field) noexcept;

// Returns the request line, Host, the fields and the empty line. Fails with Errc::invalid_argument
// if a part contains characters that it must not.
Result<std::string> write_request(const Request& request);

// The same, appended to `out`, which is unchanged on failure.
Result<void> write_request(const Request& request, std::string& out);

// The same for a request that is sent over HTTP/2: without the fields that are not sent there.
Result<void> describe_http2_request(const Request& request, std::string& out);

// Returns whether requests with this method have a body, even if it is empty.
bool expects_a_body(std::string_view method) noexcept;

// Returns "example.com:8080"; the port is omitted if it is the scheme's default.
std::string_view host_field(const url::Url& url);

// Returns "example.com:443", as CONNECT and pool keys use it.
std::string authority(const url::Url& url);

}  // namespace gossamer::wire
