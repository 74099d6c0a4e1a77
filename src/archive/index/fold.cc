#include "index/fold.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/utf8.h"

namespace gossamer::index {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
// Sorted. Hangul has spaces, but its words have endings, so that parts of words must be found.
constexpr auto kIdeographs = std::to_array<Range>({
    {0x0E00, 0x0EFF},    // Thai, Lao
    {0x1000, 0x109F},    // Myanmar
    {0x1100, 0x11FF},    // Hangul Jamo
    {0x1780, 0x17FF},    // Khmer
    {0x3005, 0x3007},    // marks of repetition
    {0x3040, 0x30FF},    // Hiragana, Katakana
    {0x3130, 0x318F},    // Hangul Jamo
    {0x31F0, 0x31FF},    // Katakana
    {0x3400, 0x4DBF},    // Han
    {0x4E00, 0x9FFF},    // Han
    {0xAC00, 0xD7AF},    // Hangul
    {0xF900, 0xFAFF},    // Han
    {0xFF66, 0xFF9F},    // Katakana of half width
    {0x20000, 0x3FFFD},  // Han
});

bool is_ideograph(char32_t c) noexcept {
  if (c < kIdeographs.front().first) return false;
  const auto after = std::ranges::upper_bound(kIdeographs, c, {}, &Range::first);
  return after != kIdeographs.begin() && c <= (after - 1)->last;
}

constexpr bool is_accent(char32_t c) noexcept { return c >= 0x0300 && c <= 0x036F; }
// Short i is a letter of Cyrillic alphabets; stemmers of these languages need it.
constexpr bool is_short_i(char32_t c) noexcept { return c == 0x0419 || c == 0x0439; }
constexpr bool is_voice_mark(char32_t c) noexcept { return c == 0x3099 || c == 0x309A; }
constexpr bool is_hangul_syllable(char32_t c) noexcept { return c >= 0xAC00 && c <= 0xD7AF; }

icu::UnicodeString decomposed(char32_t c) {
  icu::UnicodeString text(static_cast<UChar32>(c));
  if (is_short_i(c) || is_hangul_syllable(c)) return text;
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const compatible = icu::Normalizer2::getNFKDInstance(status);
  icu::UnicodeString parts;
  if (U_FAILURE(status) || !compatible->getDecomposition(static_cast<UChar32>(c), parts)) {
    return text;
  }
  for (int at = 0; at < parts.length(); ++at) {
    if (is_voice_mark(parts[at])) return text;
  }
  return parts;
}

void append_folded_by_icu(std::string& out, char32_t c) {
  icu::UnicodeString parts = decomposed(c);
  // Before the case: it would make a letter of the iota below vowels.
  for (int at = parts.length() - 1; at >= 0; --at) {
    if (is_accent(parts[at])) parts.remove(at, 1);
  }
  parts.foldCase();
  for (int at = 0; at < parts.length(); at = parts.moveIndex32(at, 1)) {
    const auto part = static_cast<char32_t>(parts.char32At(at));
    const bool is_surrogate = part >= 0xD800 && part <= 0xDFFF;
    // Some decompositions have blanks and slashes: U+FDFA, U+2100.
    if (!is_accent(part) && !is_surrogate && character_class(part) != CharacterClass::gap) {
      base::append_utf8(out, part);
    }
  }
}

CharacterClass class_by_icu(char32_t c) noexcept {
  if (is_ideograph(c)) return CharacterClass::ideograph;
  const auto code = static_cast<UChar32>(c);
  if (c == 0x00AD || c == 0x2060 || c == 0xFEFF || (c >= 0x200B && c <= 0x200D)) {
    return CharacterClass::joiner;
  }
  constexpr std::uint32_t kWordMask =
      U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK;  // letters, numbers, marks
  return (U_GET_GC_MASK(code) & kWordMask) != 0 ? CharacterClass::letter : CharacterClass::gap;
}

// Most letters of alphabets are below this, so their forms are computed once.
constexpr std::size_t kTableSize = 0x600;

const std::array<CharacterClass, kTableSize>& class_table() {
  static const std::array<CharacterClass, kTableSize> entries = [] {
    std::array<CharacterClass, kTableSize> made = {};
    for (std::size_t c = 0; c < kTableSize; ++c) made[c] = class_by_icu(static_cast<char32_t>(c));
    return made;
  }();
  return entries;
}

const std::array<std::string, kTableSize>& folded_table() {
  static const std::array<std::string, kTableSize> entries = [] {
    std::array<std::string, kTableSize> made;
    for (std::size_t c = 0; c < kTableSize; ++c) {
      append_folded_by_icu(made[c], static_cast<char32_t>(c));
    }
    return made;
  }();
  return entries;
}

}  // namespace

void append_folded(std::string& out, char32_t c) {
  c < kTableSize ? void(out += folded_table()[c]) : append_folded_by_icu(out, c);
}

char32_t composed(char32_t first, char32_t second) noexcept {
  const bool is_jamo = second >= 0x1161 && second <= 0x11C2;
  const bool is_narrow_mark = second == 0xFF9E || second == 0xFF9F;
  if (second != 0x0306 && !is_jamo && !is_voice_mark(second) && !is_narrow_mark) return 0;
  if (is_narrow_mark) {
    second = second - 0xFF9E + 0x3099;
    const icu::UnicodeString wide = decomposed(first);
    if (wide.countChar32() == 1) first = static_cast<char32_t>(wide.char32At(0));
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const canonical = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) return 0;
  const UChar32 pair =
      canonical->composePair(static_cast<UChar32>(first), static_cast<UChar32>(second));
  return pair < 0 ? 0 : static_cast<char32_t>(pair);
}

CharacterClass character_class(char32_t c) noexcept {
  return c < kTableSize ? class_table()[c] : class_by_icu(c);
}

}  // namespace gossamer::index
