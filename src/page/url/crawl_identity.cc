#include "url/crawl_identity.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "url/code_points.h"
#include "url/session_parameters.h"

namespace gossamer::url {
namespace {

// Writes escapes in upper case, and decodes those of unreserved characters. A percent sign that is
// not an escape must not become one: "%%66A" is not "%fA".
void append_with_normal_escapes(std::string_view text, std::string& out) {
  constexpr std::size_t kNowhere = std::string::npos - 2;
  std::size_t bare_percent_at = kNowhere;
  while (true) {
    const std::size_t plain = std::min(text.find('%'), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const int high = text.size() > 2 ? hex_value(text[1]) : -1;
    const int low = text.size() > 2 ? hex_value(text[2]) : -1;
    if (high < 0 || low < 0) {
      bare_percent_at = out.size();
      out.push_back('%');
      text.remove_prefix(1);
      continue;
    }
    const auto byte = static_cast<char>(high * 16 + low);
    const bool might_join_an_escape =
        out.size() <= bare_percent_at + 2 && bare_percent_at != kNowhere;
    if (in_set(byte, kUnreserved) && !might_join_an_escape) {
      out.push_back(byte);
    } else {
      out += {'%', kUpperHexDigits[high], kUpperHexDigits[low]};
    }
    text.remove_prefix(3);
  }
}

constexpr std::array<std::string_view, 12> kIndexNames = {
    "index.html", "index.htm", "index.shtml",  "index.xhtml", "index.php",   "index.asp",
    "index.aspx", "index.jsp", "default.html", "default.htm", "default.asp", "default.aspx"};

// Returns whether a name is left without "www.": www.com is not a site called "com".
bool has_needless_www(const Url& url) noexcept {
  const std::string_view host = url.hostname();
  return url.host_kind() == HostKind::domain && host.starts_with("www.") &&
         host.find('.', 4) != std::string_view::npos && host.find('.', 4) + 1 < host.size();
}

// Moves the segments that stay to the front, over those that are dropped. Returns the new end.
char* drop_sessions_from_path(char* begin, char* end) noexcept {
  char* kept = begin;
  for (const char* slash = begin; slash != end;) {
    const char* const next = std::find<const char*>(slash + 1, end, '/');
    const std::string_view segment(slash + 1, next);
    slash = next;
    const bool goes = is_session_segment(segment);
    if (goes && next != end) continue;
    const std::string_view rest = goes ? std::string_view() : without_session_suffix(segment);
    *kept++ = '/';
    kept = std::copy(rest.begin(), rest.end(), kept);
  }
  return kept;
}

std::string_view name_of(std::string_view parameter) noexcept {
  return parameter.substr(0, parameter.find('='));
}

std::string_view value_of(std::string_view parameter) noexcept {
  return parameter.substr(std::min(name_of(parameter).size() + 1, parameter.size()));
}

}  // namespace

// Returns true if the URL contains nothing that a rule looks for. That holds for nearly all links,
// and every link is tested.
bool CrawlIdentity::is_beyond_rules(const Url& url) const {
  if (rules_.collapse_index || (rules_.strip_www && has_needless_www(url))) return false;
  const bool has_query_rule = rules_.drop_sessions || rules_.drop_tracking || rules_.sort_query;
  if (has_query_rule && !url.search().empty()) return false;
  return !rules_.drop_sessions || !may_have_session(url.pathname());
}

std::string_view CrawlIdentity::normal_form(const Url& url) {
  std::string_view text = url.without_fragment();
  const std::string_view query = url.search();
  // Decoding an escaped drive letter would change the path: file:///%43|/x.
  const bool is_file = url.scheme_kind() == SchemeKind::file;
  const bool is_escaped = text.find('%') != std::string_view::npos;
  const bool has_rules = rules_ != IdentityRules{} && url.is_http_or_https();
  const bool guesses = has_rules && (is_escaped || !is_beyond_rules(url));
  if (is_file || (!guesses && !is_escaped)) {
    // The usual case: the parser has done everything except removing a lone question mark.
    if (query.empty() && url.query()) text.remove_suffix(1);
    return text;
  }
  text_.clear();
  if (!guesses) {
    const std::size_t target_at = text.size() - url.request_target().size();
    append_with_normal_escapes(text.substr(0, target_at + url.pathname().size()), text_);
    append_with_normal_escapes(query, text_);
    return text_;
  }
  write_origin(url);
  write_path(url.pathname());
  if (!query.empty()) write_query(query.substr(1));
  return text_;
}

std::uint64_t CrawlIdentity::fingerprint(const Url& url) { return base::hash64(normal_form(url)); }

void CrawlIdentity::write_origin(const Url& url) {
  const std::string_view href = url.href();
  const auto host_at = static_cast<std::size_t>(url.hostname().data() - href.data());
  const auto path_at = static_cast<std::size_t>(url.pathname().data() - href.data());
  append_with_normal_escapes(href.substr(0, host_at), text_);
  const std::size_t skipped = rules_.strip_www && has_needless_www(url) ? 4 : 0;
  text_.append(href.substr(host_at + skipped, path_at - host_at - skipped));
}

// REQUIRES: `path` is that of a special URL, so it begins with a slash.
void CrawlIdentity::write_path(std::string_view path) {
  const std::size_t begin = text_.size();
  append_with_normal_escapes(path, text_);
  if (rules_.drop_sessions) {
    char* const data = text_.data();
    const char* const end = drop_sessions_from_path(data + begin, data + text_.size());
    text_.resize(static_cast<std::size_t>(end - data));
  }
  if (!rules_.collapse_index) return;
  const std::size_t last = text_.rfind('/') + 1;
  const auto* const found = std::ranges::find(kIndexNames, std::string_view(text_).substr(last));
  if (found != kIndexNames.end()) text_.resize(last);
}

void CrawlIdentity::write_query(std::string_view query) {
  const bool filters = rules_.drop_sessions || rules_.drop_tracking || rules_.sort_query;
  if (filters) return write_filtered_query(query);
  text_.push_back('?');
  append_with_normal_escapes(query, text_);
}

void CrawlIdentity::write_filtered_query(std::string_view query) {
  query_.clear();
  append_with_normal_escapes(query, query_);
  parameters_.clear();
  for (std::string_view rest = query_; !rest.empty();) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view name = name_of(parameter);
    // An empty part between two ampersands means nothing.
    const bool goes = parameter.empty() ||
                      (rules_.drop_sessions && is_session_parameter(name, value_of(parameter))) ||
                      (rules_.drop_tracking && is_tracking_parameter(name));
    if (!goes) parameters_.push_back(parameter);
  }
  if (rules_.sort_query) {
    // Equal names are ordered by position: stable, without the memory that stable_sort needs.
    std::ranges::sort(parameters_, {}, [](std::string_view parameter) {
      return std::pair(name_of(parameter), parameter.data());
    });
  }
  char separator = '?';
  for (const std::string_view parameter : parameters_) {
    text_.push_back(separator);
    text_.append(parameter);
    separator = '&';
  }
}

}  // namespace gossamer::url
