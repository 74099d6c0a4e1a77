#include "url/secrets.h"

#include <algorithm>
#include <cstddef>

#include "url/code_points.h"

namespace gossamer::url {
namespace {

// Returns the position after "https://", "//" or the like; 0 if there is none.
std::size_t authority_begin(std::string_view text) {
  const std::size_t slashes = std::min(text.find_first_of("/\\"), text.size());
  const std::size_t colon = text.find(':');
  // A colon that is not followed by slashes separates a name from a password.
  if (slashes == text.size() || (slashes != 0 && colon + 1 != slashes)) return 0;
  return std::min(text.find_first_not_of("/\\", slashes), text.size());
}

// A port is a number; anything else may be a password with a slash in it.
bool has_odd_port(std::string_view authority) {
  const std::size_t colon = authority.find(':');
  if (authority.starts_with('[') || colon == std::string_view::npos) return false;
  return !std::ranges::all_of(authority.substr(colon + 1), [](char c) { return is_digit(c); });
}

}  // namespace

Url strip_credentials(const Url& url) {
  if (!url.has_credentials()) return url;
  std::string text(url.protocol());
  text.append("//").append(url.host()).append(url.pathname());
  text.append(url.search()).append(url.hash());
  Url stripped;
  return stripped.assign(text) == UrlFailure::none ? stripped : url;
}

std::string without_secrets(std::string_view text) {
  const std::size_t begin = authority_begin(text);
  const std::size_t end = std::min(text.find_first_of("/\\?#", begin), text.size());
  const std::string_view authority = text.substr(begin, end - begin);
  std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos && has_odd_port(authority)) at = text.substr(begin).rfind('@');
  if (at == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, begin)) + "***" + std::string(text.substr(begin + at));
}

}  // namespace gossamer::url
