#include "html/token/character_reference.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"
#include "html/token/scan.h"

namespace gossamer::html {
namespace {

struct NamedReference {
  std::string_view name;
  char32_t first;
  char32_t second;  // 0: none
};

constexpr NamedReference kNamedReferences[] = {
#include "html/token/named_references.inc"
};

constexpr std::uint16_t kCount = std::size(kNamedReferences);

// The index of the first name for each first letter: the first step is a lookup, later ones search
// few names.
constexpr std::array<std::uint16_t, 129> kFirstLetter = [] {
  std::array<std::uint16_t, 129> begins = {};
  std::uint16_t at = 0;
  for (std::size_t c = 0; c < begins.size(); ++c) {
    while (at < kCount && static_cast<unsigned char>(kNamedReferences[at].name[0]) < c) ++at;
    begins[c] = at;
  }
  return begins;
}();

// https://html.spec.whatwg.org/#numeric-character-reference-end-state
constexpr std::array<char16_t, 32> kC1Replacements = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

constexpr std::uint32_t kBeyondUnicode = 0x110000;
constexpr char32_t kReplacement = 0xFFFD;

bool is_alphanumeric(int c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns -1 if it is not a digit.
int digit_value(int c, unsigned base) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (base == 10) return -1;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void CharacterReference::begin(bool in_attribute) noexcept {
  phase_ = Phase::start;
  in_attribute_ = in_attribute;
  length_ = 0;
  match_length_ = 0;
  code_ = 0;
  put('&');
}

bool CharacterReference::take(int c) noexcept {
  switch (phase_) {
    case Phase::start:
      if (c == '#') {
        phase_ = Phase::number_sign;
        put('#');
        return true;
      }
      if (!is_alphanumeric(c)) return false;
      phase_ = Phase::named;
      low_ = kFirstLetter[static_cast<std::size_t>(c)];
      high_ = kFirstLetter[static_cast<std::size_t>(c) + 1];
      if (low_ == high_) return false;
      put(static_cast<char>(c));
      return true;
    case Phase::named: return take_named(c);
    case Phase::number_sign: return take_number_sign(c);
    case Phase::hex_start: return take_hex_start(c);
    case Phase::decimal: return take_number(c, 10);
    case Phase::hex: return take_number(c, 16);
    case Phase::done: break;
  }
  return false;
}

// https://html.spec.whatwg.org/#named-character-reference-state
bool CharacterReference::take_named(int c) noexcept {
  const std::size_t depth = length_ - 1U;
  const NamedReference* const begin = kNamedReferences + low_;
  const NamedReference* const end = kNamedReferences + high_;
  // The names are sorted, so a name that ends here is the first of its range.
  if (begin->name.size() == depth) {
    match_ = low_;
    match_length_ = static_cast<std::uint8_t>(depth);
  }
  const auto byte_at = [depth](const NamedReference& entry) {
    return entry.name.size() > depth ? static_cast<unsigned char>(entry.name[depth]) : -1;
  };
  const auto first = std::partition_point(begin, end, [&](auto& e) { return byte_at(e) < c; });
  const auto last = std::partition_point(first, end, [&](auto& e) { return byte_at(e) <= c; });
  if (c < 0 || first == last) return finish_name(c);
  low_ = static_cast<std::uint16_t>(first - kNamedReferences);
  high_ = static_cast<std::uint16_t>(last - kNamedReferences);
  put(static_cast<char>(c));
  if (c != ';') return true;
  match_ = low_;
  match_length_ = static_cast<std::uint8_t>(length_ - 1);
  finish_name(-1);
  phase_ = Phase::done;
  return true;
}

// Writes the characters of the longest name found, and keeps the text read beyond it. `following`
// is the character that did not fit.
bool CharacterReference::finish_name(int following) noexcept {
  if (match_length_ == 0) return false;
  const std::size_t name_end = 1U + match_length_;
  const bool is_old_form = text_[name_end - 1] != ';';
  if (in_attribute_ && is_old_form) {
    const int next = name_end < length_ ? text_[name_end] : following;
    if (next == '=' || is_alphanumeric(next)) return false;
  }
  char rest[sizeof(text_)];
  const std::size_t rest_length = length_ - name_end;
  std::memcpy(rest, text_ + name_end, rest_length);
  length_ = 0;
  put_code_point(kNamedReferences[match_].first);
  if (kNamedReferences[match_].second != 0) put_code_point(kNamedReferences[match_].second);
  std::memcpy(text_ + length_, rest, rest_length);
  length_ = static_cast<std::uint8_t>(length_ + rest_length);
  return false;
}

// https://html.spec.whatwg.org/#numeric-character-reference-state
bool CharacterReference::take_number_sign(int c) noexcept {
  if (c == 'x' || c == 'X') {
    phase_ = Phase::hex_start;
    put(static_cast<char>(c));
    return true;
  }
  if (digit_value(c, 10) < 0) return false;
  phase_ = Phase::decimal;
  return take_number(c, 10);
}

bool CharacterReference::take_hex_start(int c) noexcept {
  if (digit_value(c, 16) < 0) return false;
  phase_ = Phase::hex;
  return take_number(c, 16);
}

bool CharacterReference::take_number(int c, unsigned base) noexcept {
  const int digit = digit_value(c, base);
  if (digit >= 0) {
    if (code_ < kBeyondUnicode) code_ = code_ * base + static_cast<unsigned>(digit);
    return true;
  }
  finish_number();
  if (c != ';') return false;
  phase_ = Phase::done;
  return true;
}

// https://html.spec.whatwg.org/#numeric-character-reference-end-state
void CharacterReference::finish_number() noexcept {
  char32_t c = code_;
  if (c == 0 || c >= kBeyondUnicode || (c >= 0xD800 && c <= 0xDFFF)) {
    c = kReplacement;
  } else if (c >= 0x80 && c <= 0x9F && kC1Replacements[c - 0x80] != 0) {
    c = kC1Replacements[c - 0x80];
  }
  length_ = 0;
  put_code_point(c);
}

void CharacterReference::put_code_point(char32_t c) noexcept {
  length_ = static_cast<std::uint8_t>(length_ + base::encode_utf8(c, text_ + length_));
}

void append_decoded(std::string_view raw, bool in_attribute, std::string& out) {
  const char* at = raw.data();
  const char* const end = at + raw.size();
  CharacterReference reference;
  while (at != end) {
    const char* const special = find_any(at, end, '&', '\r', '\0');
    out.append(at, special);
    if (special == end) return;
    at = special + 1;
    if (*special == '\r') {
      out.push_back('\n');
      if (at != end && *at == '\n') ++at;
    } else if (*special == '\0') {
      base::append_utf8(out, in_attribute ? kReplacement : U'\0');
    } else {
      reference.begin(in_attribute);
      while (!reference.done() &&
             reference.take(at == end ? -1 : static_cast<unsigned char>(*at))) {
        ++at;
      }
      out.append(reference.text());
    }
  }
}

}  // namespace gossamer::html
