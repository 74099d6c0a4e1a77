#include "robots/robots_path.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"

namespace gossamer::robots {
namespace {

enum class Kind : std::uint8_t { plain, percent, escaped };

constexpr bool is_unreserved(unsigned char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// The characters that are not escaped: RFC 3986's unreserved and reserved characters, except those
// that are special in a rule.
constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds = {};
  for (unsigned c = 0; c < 256; ++c) {
    const bool is_plain =
        is_unreserved(static_cast<unsigned char>(c)) ||
        (c > 0 && c < 0x80 && std::string_view("!&'()+,;=:@/?#[]").contains(static_cast<char>(c)));
    kinds[c] = c == '%' ? Kind::percent : is_plain ? Kind::plain : Kind::escaped;
  }
  return kinds;
}();

Kind kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }

void append_escape(std::string& out, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

// Appends the escape or bare percent sign at the start of `text`; returns how many bytes were read.
std::size_t append_percent(std::string_view text, std::string& out) {
  const int high = text.size() > 2 ? base::hex_value(text[1]) : -1;
  const int low = high >= 0 ? base::hex_value(text[2]) : -1;
  if (low < 0) {
    append_escape(out,
                  '%');  // it does not start an escape, and must not start one with the next bytes
    return 1;
  }
  const auto byte = static_cast<unsigned char>(high * 16 + low);
  if (is_unreserved(byte)) {
    out += static_cast<char>(byte);
  } else {
    append_escape(out, byte);
  }
  return 3;
}

template <bool kKeepsStar>
void append_normal(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const char c = text.front();
    std::size_t size = 1;
    const Kind kind = kind_of(c);
    if (kind == Kind::plain || (kKeepsStar && c == '*')) {
      out += c;
    } else if (kind == Kind::percent) {
      size = append_percent(text, out);
    } else {
      append_escape(out, static_cast<unsigned char>(c));
    }
    text.remove_prefix(size);
  }
}

}  // namespace

std::string_view normal_path(std::string_view path, std::string& scratch) {
  const auto* odd = std::ranges::find_if(path, [](char c) { return kind_of(c) != Kind::plain; });
  if (odd == path.end()) return path;
  scratch.assign(path.begin(), odd);
  append_normal<false>(std::string_view(odd, path.end()), scratch);
  return scratch;
}

void append_normal_pattern(std::string_view pattern, std::string& out) {
  append_normal<true>(pattern, out);
}

}  // namespace gossamer::robots
