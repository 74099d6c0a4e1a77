#include "site/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/ascii.h"
#include "base/escape.h"

namespace gossamer::site {
namespace {

using base::escape_attribute;

enum class Oddity : std::uint8_t {
  upper_case_host,
  default_port,
  dot_segments,
  fragment,
  escaped_letter,
  lower_case_escape,
  bare_ampersand,
  numeric_reference,
  blanks,
  empty_query,
  raw_letters,
};
constexpr std::uint64_t kOddities = static_cast<std::uint64_t>(Oddity::raw_letters) + 1;

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

void replace_first(std::string& text, std::string_view what, std::string_view with) {
  if (const std::size_t at = text.find(what); at != std::string::npos) {
    text.replace(at, what.size(), with);
  }
}

// Writes the first letter of the path as "%61".
std::string with_escaped_letter(std::string_view target) {
  for (std::size_t i = 1; i < target.size() && target[i] != '?' && target[i] != '%'; ++i) {
    if (target[i] >= 'a' && target[i] <= 'z') {
      return fmt::format("{}%{:02x}{}", target.substr(0, i), static_cast<unsigned>(target[i]),
                         target.substr(i + 1));
    }
  }
  return std::string(target);
}

std::string spell_oddly(const SpellingPlace& place, std::string_view host, std::string_view target,
                        Oddity oddity) {
  std::string out(target);
  switch (oddity) {
    case Oddity::upper_case_host: return "HTTP://" + upper(host) + escape_attribute(target);
    case Oddity::default_port:
      return fmt::format("http://{}{}{}", host, host.find(':') == host.npos ? ":80" : "",
                         escape_attribute(target));
    case Oddity::dot_segments: return "/./nowhere/.." + escape_attribute(target);
    case Oddity::fragment: return escape_attribute(target) + "#part-2";
    case Oddity::escaped_letter: return escape_attribute(with_escaped_letter(target));
    case Oddity::lower_case_escape:
      replace_first(out, "%C3%A9", "%c3%a9");
      return escape_attribute(out);
    case Oddity::bare_ampersand: return out;
    case Oddity::numeric_reference: out = escape_attribute(out); return "&#x2F;" + out.substr(1);
    case Oddity::blanks: return "\n  " + escape_attribute(target) + " ";
    case Oddity::empty_query:
      return escape_attribute(target) + (out.find('?') == out.npos ? "?" : "");
    case Oddity::raw_letters:
      if (place.is_utf_8) replace_first(out, "%C3%A9", "\xC3\xA9");
      return escape_attribute(out);
  }
  return out;
}

}  // namespace

std::string relative_reference(std::string_view base, std::string_view target) {
  // The folders that both have in common.
  const std::string_view path = target.substr(0, target.find('?'));
  std::size_t shared = 0;
  for (std::size_t i = 0; i < std::min(base.size(), path.size()) && base[i] == path[i]; ++i) {
    if (base[i] == '/') shared = i + 1;
  }
  std::string out;
  for (const char c : base.substr(shared)) {
    if (c == '/') out += "../";
  }
  out += target.substr(shared);
  if (out.empty() || out.starts_with('?')) out.insert(0, "./");
  return out;
}

std::string spell(const SpellingPlace& place, std::string_view host, std::string_view target,
                  base::Random& random) {
  const bool is_odd = random.chance(place.odd_spellings);
  const std::uint64_t draw = random.next();
  if (host != place.host) {
    if (is_odd) return spell_oddly(place, host, target, Oddity::upper_case_host);
    return fmt::format("http://{}{}", host, escape_attribute(target));
  }
  if (is_odd) return spell_oddly(place, host, target, static_cast<Oddity>(draw % kOddities));
  switch (draw % 8) {
    case 0: return fmt::format("http://{}{}", host, escape_attribute(target));
    case 1: return fmt::format("//{}{}", host, escape_attribute(target));
    case 2:
    case 3: return escape_attribute(relative_reference(place.base, target));
    default: return escape_attribute(target);
  }
}

}  // namespace gossamer::site
