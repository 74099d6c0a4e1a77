#include "site/site_request.h"

#include "base/ascii.h"

namespace gossamer::site {
namespace {

constexpr std::string_view kBlanks = " \t";

// Finds a word in a comma-separated list, ignoring case and weights.
bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    item = item.substr(0, item.find(';'));
    if (base::equals_ignoring_case(base::trimmed(item, kBlanks), word)) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

Result<void> read_request_line(std::string_view line, SiteRequest& into) {
  const std::size_t method_end = line.find(' ');
  const std::size_t target_end = line.rfind(' ');
  if (method_end == std::string_view::npos || method_end == 0 || target_end <= method_end + 1) {
    return fail(Errc::malformed, "invalid request line");
  }
  into.method = line.substr(0, method_end);
  into.target = line.substr(method_end + 1, target_end - method_end - 1);
  const std::string_view version = line.substr(target_end + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return fail(Errc::malformed, "version");
  into.is_http_1_1 = version == "HTTP/1.1";
  into.keeps_alive = into.is_http_1_1;
  return {};
}

void read_field(std::string_view name, std::string_view value, SiteRequest& into) {
  using base::equals_ignoring_case;
  if (equals_ignoring_case(name, "host")) {
    into.host = value;
  } else if (equals_ignoring_case(name, "user-agent")) {
    into.user_agent = value;
  } else if (equals_ignoring_case(name, "accept-encoding")) {
    into.accepts_gzip = has_word(value, "gzip");
  } else if (equals_ignoring_case(name, "connection")) {
    if (has_word(value, "close")) into.keeps_alive = false;
    if (!into.is_http_1_1 && has_word(value, "keep-alive")) into.keeps_alive = true;
  } else if (equals_ignoring_case(name, "transfer-encoding")) {
    into.has_body = true;
  } else if (equals_ignoring_case(name, "content-length")) {
    into.has_body = into.has_body || value != "0";
  }
}

// Reads the form for proxies: "http://site.example/a".
void take_absolute_form_apart(SiteRequest& into) {
  constexpr std::string_view kScheme = "http://";
  if (!into.target.starts_with(kScheme)) return;
  const std::size_t path = into.target.find('/', kScheme.size());
  into.host = into.target.substr(kScheme.size(), path - kScheme.size());
  into.target = path == std::string_view::npos ? "/" : into.target.substr(path);
}

}  // namespace

Result<std::size_t> read_request(std::string_view heard, SiteRequest& into) {
  const std::size_t end = heard.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  std::string_view head = heard.substr(0, end);
  into = {};
  const std::size_t line_end = head.find("\r\n");
  if (auto line = read_request_line(head.substr(0, line_end), into); !line) {
    return fail(std::move(line).error());
  }
  head.remove_prefix(line_end == std::string_view::npos ? head.size() : line_end + 2);
  while (!head.empty()) {
    const std::size_t field_end = head.find("\r\n");
    const std::string_view field = head.substr(0, field_end);
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos || colon == 0) return fail(Errc::malformed, "field");
    read_field(field.substr(0, colon), base::trimmed(field.substr(colon + 1), kBlanks), into);
    if (field_end == std::string_view::npos) break;
    head.remove_prefix(field_end + 2);
  }
  take_absolute_form_apart(into);
  return end + 4;
}

}  // namespace gossamer::site
