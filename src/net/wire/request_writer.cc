#include "wire/request_writer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/check.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

// Visible ASCII: the characters of a parsed URL, without spaces, which would end the target.
bool is_target(std::string_view text) noexcept {
  for (const char c : text) {
    if (c <= 0x20 || c == 0x7F || static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return !text.empty();
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

Result<void> append_target(const Request& request, std::string& out) {
  const url::Url& url = *request.url;
  const std::size_t begin = out.size();
  switch (request.form) {
    case TargetForm::origin: out += url.request_target(); break;
    case TargetForm::absolute:
      out.append(url.protocol()).append("//").append(url.host()).append(url.request_target());
      break;
    case TargetForm::authority: out += authority(url); break;
    case TargetForm::asterisk: out += '*'; break;
  }
  if (!is_target(std::string_view(out).substr(begin))) {
    return fail(Errc::invalid_argument,
                "the URL contains a character that a request line cannot have");
  }
  return {};
}

Result<void> check_field(const RequestField& field) {
  if (!is_token(field.name)) return fail(Errc::invalid_argument, "invalid field name");
  if (!is_field_text(field.value)) {
    return fail(Errc::invalid_argument,
                "control character in the field " + std::string(field.name));
  }
  if (equals_ignoring_case(field.name, "content-length") ||
      equals_ignoring_case(field.name, "transfer-encoding")) {
    return fail(Errc::invalid_argument,
                "Content-Length and Transfer-Encoding cannot be set as fields");
  }
  return {};
}

// Which fields are written.
enum class Fields : std::uint8_t { all, of_http2 };

Result<void> append_fields(const Request& request, Fields which, std::string& out) {
  std::string_view host =
      request.form == TargetForm::authority ? std::string_view() : host_field(*request.url);
  const std::string connect_host = host.empty() ? authority(*request.url) : std::string();
  if (host.empty()) host = connect_host;
  for (const RequestField& field : request.fields) {
    if (auto checked = check_field(field); !checked) return checked;
    if (equals_ignoring_case(field.name, "host")) host = field.value;
  }
  if (!is_field_text(host)) return fail(Errc::invalid_argument, "control character in the host");
  append_field(out, "Host", host);
  for (const RequestField& field : request.fields) {
    if (equals_ignoring_case(field.name, "host")) continue;
    if (which == Fields::all || !is_of_http1(field)) append_field(out, field.name, field.value);
  }
  if (request.body_bytes || expects_a_body(request.method)) {
    append_field(out, "Content-Length", std::to_string(request.body_bytes.value_or(0)));
  }
  out += "\r\n";
  return {};
}

Result<void> write(const Request& request, Fields which, std::string& out) {
  CHECK(request.url != nullptr);
  if (!is_token(request.method)) return fail(Errc::invalid_argument, "invalid method");
  if (!request.url->is_http_or_https() || request.url->hostname().empty()) {
    return fail(Errc::invalid_argument, "not an http or https URL");
  }
  const std::size_t begin = out.size();
  out.append(request.method).append(" ");
  auto written = append_target(request, out);
  if (written) {
    out += " HTTP/1.1\r\n";
    written = append_fields(request, which, out);
  }
  if (!written) out.resize(begin);
  return written;
}

}  // namespace

bool is_of_http1(const RequestField& field) noexcept {
  static constexpr std::string_view kNames[] = {"connection", "keep-alive", "upgrade",
                                                "proxy-connection", "http2-settings"};
  const auto is_it = [&](std::string_view name) { return equals_ignoring_case(field.name, name); };
  return std::ranges::any_of(kNames, is_it) || (is_it("te") && field.value != "trailers");
}

bool expects_a_body(std::string_view method) noexcept {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

std::string_view host_field(const url::Url& url) { return url.host(); }

std::string authority(const url::Url& url) {
  std::string text(url.hostname());
  text += ':';
  text += std::to_string(url.effective_port());
  return text;
}

Result<void> write_request(const Request& request, std::string& out) {
  return write(request, Fields::all, out);
}

Result<void> describe_http2_request(const Request& request, std::string& out) {
  return write(request, Fields::of_http2, out);
}

Result<std::string> write_request(const Request& request) {
  std::string out;
  if (auto written = write_request(request, out); !written) {
    return fail(std::move(written).error());
  }
  return out;
}

}  // namespace gossamer::wire
