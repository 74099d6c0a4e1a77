// The parser's states for "user:password@host:port", and those that copy it from a base.
#include <algorithm>
#include <charconv>

#include "url/code_points.h"
#include "url/host.h"
#include "url/parser.h"
#include "url/percent.h"

namespace gossamer::url {
namespace {

std::size_t authority_length(std::string_view text, bool is_special) noexcept {
  std::size_t length = 0;
  while (length < text.size() && !in_set(text[length], kAuthorityDelimiter)) ++length;
  // A backslash ends the authority of special schemes only.
  while (!is_special && length < text.size() && text[length] == '\\') {
    ++length;
    while (length < text.size() && !in_set(text[length], kAuthorityDelimiter)) ++length;
  }
  return length;
}

// Returns the position of the colon before the port, or the size. Colons between brackets do not
// count.
std::size_t find_port_colon(std::string_view host_and_port) noexcept {
  bool inside_brackets = false;
  for (std::size_t i = 0; i < host_and_port.size(); ++i) {
    const char c = host_and_port[i];
    if (c == ':' && !inside_brackets) return i;
    if (c == '[') inside_brackets = true;
    if (c == ']') inside_brackets = false;
  }
  return host_and_port.size();
}

}  // namespace

UrlFailure Parser::authority_state() {
  out_.put("//");
  parts_.has_authority = true;
  parts_.username_end = parts_.host_begin = out_.size();
  std::string_view authority = rest_.substr(0, authority_length(rest_, is_special()));
  rest_.remove_prefix(authority.size());
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    write_credentials(authority.substr(0, at));
    authority.remove_prefix(at + 1);
    if (authority.empty()) return UrlFailure::host_missing;
  }
  if (const auto failure = host_state(authority); failure != UrlFailure::none) return failure;
  return path_start_state();
}

void Parser::write_credentials(std::string_view credentials) {
  const std::size_t colon = std::min(credentials.find(':'), credentials.size());
  percent_encode(credentials.substr(0, colon), kUserinfoSet, out_);
  parts_.username_end = out_.size();
  const std::string_view password = credentials.substr(std::min(colon + 1, credentials.size()));
  if (!password.empty()) {
    out_.put(':');
    percent_encode(password, kUserinfoSet, out_);
  }
  // "//:@host" has no credentials.
  if (out_.size() > parts_.host_begin) out_.put('@');
  parts_.host_begin = out_.size();
}

UrlFailure Parser::host_state(std::string_view host_and_port) {
  const std::size_t colon = find_port_colon(host_and_port);
  const std::string_view host = host_and_port.substr(0, colon);
  const bool has_port = colon < host_and_port.size();
  if (host.empty() && (has_port || is_special())) return UrlFailure::host_missing;
  const auto failure = write_host(host, is_special(), out_, parts_.host_kind);
  if (failure != UrlFailure::none) return failure;
  parts_.host_end = parts_.path_begin = out_.size();
  return has_port ? port_state(host_and_port.substr(colon + 1)) : UrlFailure::none;
}

UrlFailure Parser::port_state(std::string_view digits) {
  if (digits.empty()) return UrlFailure::none;
  std::uint32_t port = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return UrlFailure::port_invalid;
    port = port * 10 + static_cast<std::uint32_t>(c - '0');
    if (port > 0xFFFF) return UrlFailure::port_invalid;
  }
  if (port != 0 && port == default_port(parts_.scheme_kind)) return UrlFailure::none;
  parts_.port = static_cast<std::uint16_t>(port);
  parts_.has_port = true;
  char text[5];
  const auto end = std::to_chars(text, text + sizeof text, port).ptr;
  out_.put(':');
  out_.put(std::string_view(text, static_cast<std::size_t>(end - text)));
  parts_.path_begin = out_.size();
  return UrlFailure::none;
}

void Parser::take_base_scheme() {
  parts_.scheme_kind = base_->scheme_kind();
  parts_.scheme_end = base_->parts_.scheme_end;
}

// REQUIRES: the scheme is that of the base, so that the positions are the same.
void Parser::take_base_authority() {
  const Url::Parts& base = base_->parts_;
  parts_.username_end = base.username_end;
  parts_.host_begin = base.host_begin;
  parts_.host_end = base.host_end;
  // Without a host, "/." may precede the path; its end shows whether it is needed.
  parts_.path_begin = base.has_authority ? base.path_begin : base.scheme_end;
  parts_.port = base.port;
  parts_.has_port = base.has_port;
  parts_.has_authority = base.has_authority;
  parts_.host_kind = base.host_kind;
}

// Copies the part of the base before `end` that is not written yet.
void Parser::copy_base_until(std::uint32_t end) {
  const std::uint32_t begin = out_.size();
  if (begin < end) out_.put(base_->part(begin, end));
}

}  // namespace gossamer::url
