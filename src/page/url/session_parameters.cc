#include "url/session_parameters.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "url/code_points.h"

namespace gossamer::url {
namespace {

bool starts_ignoring_case(std::string_view text, std::string_view lower) noexcept {
  return base::equals_ignoring_case(text.substr(0, lower.size()), lower);
}

template <std::size_t N>
bool contains_ignoring_case(const std::array<std::string_view, N>& names,
                            std::string_view text) noexcept {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return base::equals_ignoring_case(text, name); });
}

constexpr bool is_alphanumeric(char c) noexcept { return is_alpha(c) || is_digit(c); }

// Names that mean a session, whatever their value.
constexpr std::array<std::string_view, 8> kSessionNames = {
    "jsessionid", "phpsessid", "cfid", "cftoken", "sessionid", "session_id", "oscsid", "zenid"};

// Names that are also used for other things ("sid" for a story): they count only with a value that
// looks like a token.
constexpr std::array<std::string_view, 3> kAmbiguousSessionNames = {"sid", "session", "sessid"};
constexpr std::size_t kTokenBytesMin = 16;

constexpr std::array<std::string_view, 18> kTrackingNames = {
    "gclid", "dclid", "gbraid", "wbraid", "fbclid",  "msclkid", "twclid", "ttclid", "yclid",
    "_ga",   "_gl",   "mc_cid", "mc_eid", "mkt_tok", "igshid",  "_hsenc", "_hsmi",  "li_fat_id"};

// Returns the length of "(4hqa0555fwsecu455xqckv45)", brackets included; 0 if `text` begins with
// something else.
std::size_t token_in_brackets(std::string_view text) noexcept {
  constexpr std::size_t kAspTokenBytesMin = 24;
  if (!text.starts_with('(')) return 0;
  std::size_t end = 1;
  while (end < text.size() && is_alphanumeric(text[end])) ++end;
  const bool closed = end < text.size() && text[end] == ')';
  return closed && end > kAspTokenBytesMin ? end + 1 : 0;
}

}  // namespace

bool is_session_parameter(std::string_view name, std::string_view value) noexcept {
  if (contains_ignoring_case(kSessionNames, name)) return true;
  if (starts_ignoring_case(name, "aspsessionid")) return true;
  return contains_ignoring_case(kAmbiguousSessionNames, name) && value.size() >= kTokenBytesMin &&
         std::ranges::all_of(value, is_alphanumeric);
}

bool is_tracking_parameter(std::string_view name) noexcept {
  return starts_ignoring_case(name, "utm_") || contains_ignoring_case(kTrackingNames, name);
}

bool is_session_segment(std::string_view segment) noexcept {
  if (token_in_brackets(segment) == segment.size() && !segment.empty()) return true;
  if (segment.size() < 2 || !segment.starts_with('(') || !segment.ends_with(')')) return false;
  segment = segment.substr(1, segment.size() - 2);
  bool found = false;
  while (!segment.empty()) {
    if (!is_alpha(segment[0])) return false;
    const std::size_t length = token_in_brackets(segment.substr(1));
    if (length == 0) return false;
    segment.remove_prefix(length + 1);
    found = true;
  }
  return found;
}

bool may_have_session(std::string_view path) noexcept {
  bool found = false;
  for (const char c : path)
    found |= c == '(' || c == ';';  // without a branch, so that it is vectorised
  return found;
}

std::string_view without_session_suffix(std::string_view segment) noexcept {
  const std::size_t semicolon = segment.find(';');
  if (semicolon == std::string_view::npos) return segment;
  const std::string_view parameter = segment.substr(semicolon + 1);
  const std::size_t equals = parameter.find('=');
  const bool is_session =
      equals != std::string_view::npos &&
      is_session_parameter(parameter.substr(0, equals), parameter.substr(equals + 1));
  return is_session ? segment.substr(0, semicolon) : segment;
}

}  // namespace gossamer::url
