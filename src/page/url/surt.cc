#include "url/surt.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "url/code_points.h"
#include "url/session_parameters.h"

namespace gossamer::url {
namespace {

// "www.example.org" as "org,example,www".
void append_turned_round(std::string_view host, std::string& out) {
  while (true) {
    const std::size_t dot = host.rfind('.');
    out.append(dot == std::string_view::npos ? host : host.substr(dot + 1));
    if (dot == std::string_view::npos) return;
    out.push_back(',');
    host = host.substr(0, dot);
  }
}

bool is_address(const Url& url) noexcept {
  return url.host_kind() == HostKind::ipv4 || url.host_kind() == HostKind::ipv6;
}

// Removes "www." or "www12.", if something is left.
std::string_view without_www(std::string_view host) noexcept {
  if (!host.starts_with("www")) return host;
  std::size_t end = 3;
  while (end < host.size() && is_digit(host[end])) ++end;
  return end + 1 < host.size() && host[end] == '.' ? host.substr(end + 1) : host;
}

// Decodes escapes until there are none, including those that decoding produces. Each byte is read a
// bounded number of times: only the last byte can complete an escape.
std::string unescape_to_the_bottom(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out.push_back(c);
    while (out.size() >= 3 && out[out.size() - 3] == '%') {
      const int high = hex_value(out[out.size() - 2]);
      const int low = hex_value(out[out.size() - 1]);
      if (high < 0 || low < 0) break;
      out.resize(out.size() - 3);
      out.push_back(static_cast<char>(high * 16 + low));
    }
  }
  return out;
}

// Escapes characters that an index line cannot contain, in lower case like the rest.
std::string escape_in_lower_case(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && c != '#' && c != '%') {
      out.push_back(to_lower(c));
    } else {
      out += {'%', to_lower(kUpperHexDigits[byte >> 4]), to_lower(kUpperHexDigits[byte & 15])};
    }
  }
  return out;
}

std::string key_path(std::string_view path) {
  const std::string plain = unescape_to_the_bottom(path);
  std::string kept;
  for (std::string_view rest = plain; !rest.empty();) {
    const std::size_t end = std::min(rest.find('/', 1), rest.size());
    const std::string_view segment = rest.substr(1, end - 1);
    rest.remove_prefix(end);
    // Empty segments are dropped too: two slashes count as one.
    if (segment.empty() || is_session_segment(segment)) continue;
    const std::string_view name = without_session_suffix(segment);
    if (name.empty()) continue;
    kept += '/';
    kept += name;
  }
  return kept.empty() ? "/" : escape_in_lower_case(kept);
}

std::string key_query(std::string_view query) {
  const std::string plain = escape_in_lower_case(unescape_to_the_bottom(query));
  std::vector<std::string_view> parameters;
  for (std::string_view rest = plain;;) {
    const std::size_t end = rest.find('&');
    const std::string_view parameter = rest.substr(0, end);
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    if (!is_session_parameter(parameter.substr(0, equals), value)) parameters.push_back(parameter);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const std::string_view parameter : parameters) {
    if (!out.empty() || parameter.data() != parameters[0].data()) out += '&';
    out += parameter;
  }
  return out;
}

}  // namespace

std::string surt(const Url& url) {
  if (url.hostname().empty()) return url.href();
  std::string out(url.protocol());
  out += "//(";
  if (is_address(url)) {
    out += url.hostname();
  } else {
    append_turned_round(url.hostname(), out);
    out += ',';
  }
  if (url.port_number()) (out += ':') += url.port();
  out += ')';
  const auto path_at = static_cast<std::size_t>(url.pathname().data() - url.href().data());
  return out += std::string_view(url.href()).substr(path_at);
}

std::string cdx_key(const Url& url) {
  const bool is_web = url.is_http_or_https() || url.scheme_kind() == SchemeKind::ftp;
  if (!is_web) return url.href();
  std::string out;
  const std::string_view host =
      url.host_kind() == HostKind::domain ? without_www(url.hostname()) : url.hostname();
  url.host_kind() == HostKind::ipv6 ? static_cast<void>(out += host)
                                    : append_turned_round(host, out);
  if (url.port_number()) (out += ':') += url.port();
  out += ')';
  out += key_path(url.pathname());
  if (url.search().empty()) return out;
  const std::string query = key_query(url.search().substr(1));
  if (!query.empty()) (out += '?') += query;
  return out;
}

}  // namespace gossamer::url
