#include "wire/cookies_txt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

#include "url/public_suffix.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

constexpr std::string_view kHttpOnly = "#HttpOnly_";
constexpr std::size_t kFields = 7;

std::optional<bool> read_flag(std::string_view text) {
  if (equals_ignoring_case(text, "true")) return true;
  if (equals_ignoring_case(text, "false")) return false;
  return std::nullopt;
}

bool is_host(std::string_view domain) {
  return !domain.empty() && !domain.ends_with('.') && std::ranges::all_of(domain, [](char c) {
    return c > 0x20 && c < 0x7F && c != '/' && c != ';' && c != ',';
  });
}

std::optional<Cookie> read_line(std::string_view line) {
  Cookie cookie;
  cookie.http_only = line.starts_with(kHttpOnly);
  if (cookie.http_only) line.remove_prefix(kHttpOnly.size());
  std::array<std::string_view, kFields> fields;
  std::size_t count = 0;
  while (count < kFields) {
    const std::size_t tab = count + 1 < kFields ? line.find('\t') : std::string_view::npos;
    fields[count++] = line.substr(0, tab);
    if (tab == std::string_view::npos) break;
    line.remove_prefix(tab + 1);
  }
  if (count < kFields - 1) return std::nullopt;  // a value may be missing
  const auto below = read_flag(fields[1]);
  const auto secure = read_flag(fields[3]);
  std::int64_t expires = 0;
  const auto read = std::from_chars(fields[4].data(), fields[4].data() + fields[4].size(), expires);
  if (!below || !secure || read.ec != std::errc()) return std::nullopt;
  cookie.domain = fields[0].starts_with('.') ? fields[0].substr(1) : fields[0];
  std::ranges::transform(cookie.domain, cookie.domain.begin(), to_lower);
  cookie.host_only = !*below;
  cookie.path = fields[2].starts_with('/') ? fields[2] : "/";
  cookie.secure = *secure;
  if (expires != 0) cookie.expires = WallTime{.seconds = expires};
  cookie.name = fields[5];
  cookie.value = fields[6];
  return cookie;
}

bool may_be(const Cookie& cookie) {
  const bool is_text = is_field_text(cookie.name) && is_field_text(cookie.value) &&
                       is_field_text(cookie.path) && !cookie.name.contains(';') &&
                       !cookie.name.contains('=') && !cookie.value.contains(';');
  if (!is_text || !is_host(cookie.domain) || !lives_up_to_its_prefix(cookie)) return false;
  if (cookie.name.empty() && cookie.value.empty()) return false;
  if (cookie.name.size() + cookie.value.size() > kCookieBytesMax) return false;
  return cookie.host_only ||
         !url::PublicSuffixList::built_in().registrable_domain(cookie.domain).empty();
}

}  // namespace

std::size_t read_cookies_txt(std::string_view text, WallTime now, CookieJar& jar) {
  std::size_t refused = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (line.starts_with('#') && !line.starts_with(kHttpOnly))) continue;
    auto cookie = read_line(line);
    if (!cookie || !may_be(*cookie)) {
      ++refused;
    } else if (!is_expired(*cookie, now)) {
      jar.put(*std::move(cookie), now);
    }
  }
  return refused;
}

std::string write_cookies_txt(const CookieJar& jar, WallTime now) {
  std::string text = "# Netscape HTTP Cookie File\n";
  const auto flag = [](bool is_set) { return is_set ? "TRUE" : "FALSE"; };
  for (const Cookie& cookie : jar.all(now)) {
    // A tab in a cookie would end the field.
    if (cookie.name.contains('\t') || cookie.path.contains('\t')) continue;
    fmt::format_to(std::back_inserter(text), "{}{}{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                   cookie.http_only ? kHttpOnly : "", cookie.host_only ? "" : ".", cookie.domain,
                   flag(!cookie.host_only), cookie.path, flag(cookie.secure),
                   cookie.expires ? cookie.expires->seconds : 0, cookie.name, cookie.value);
  }
  return text;
}

}  // namespace gossamer::wire
