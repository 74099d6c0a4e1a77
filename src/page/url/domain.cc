#include "url/domain.h"

#include <unicode/uidna.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

#include "base/check.h"
#include "url/code_points.h"
#include "url/punycode.h"

namespace gossamer::url {
namespace {

// CheckBidi and CheckJoiners are on; the length of labels and their hyphens do not matter.
constexpr std::uint32_t kOptions = UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                                   UIDNA_NONTRANSITIONAL_TO_ASCII |
                                   UIDNA_NONTRANSITIONAL_TO_UNICODE;
constexpr std::uint32_t kErrorsIgnored =
    UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
    UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

// Never closed: it is immutable and lives as long as the program.
const UIDNA& idna() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    const UIDNA* opened = uidna_openUTS46(kOptions, &status);
    CHECK(U_SUCCESS(status), "ICU has no IDNA data: {}", u_errorName(status));
    return opened;
  }();
  return *instance;
}

// Mappings of UTS #46 that Unicode 15.1 and 16.0 changed since ICU 72 (Unicode 15.0). All but one
// were disallowed before. `to` 0: the code point is ignored; otherwise the range maps to the code
// points from `to` on.
struct LaterMapping {
  char32_t first;
  char32_t last;
  char32_t to;
};
constexpr std::array kLaterMappings = std::to_array<LaterMapping>({
    {0x04C0, 0x04C0, 0x04CF},     // Cyrillic palochka
    {0x10A0, 0x10C5, 0x2D00},     // Georgian capitals
    {0x115F, 0x1160, 0},          // Hangul fillers
    {0x17B4, 0x17B5, 0},          // Khmer inherent vowels
    {0x180E, 0x180E, 0},          // Mongolian vowel separator
    {0x1E9E, 0x1E9E, 0x00DF},     // capital sharp s; was "ss"
    {0x2061, 0x2063, 0},          // invisible operators
    {0x206A, 0x206F, 0},          // deprecated format characters
    {0x2132, 0x2132, 0x214E},     // turned F
    {0x2183, 0x2183, 0x2184},     // reversed C
    {0x3164, 0x3164, 0},          // Hangul filler
    {0xFFA0, 0xFFA0, 0},          // halfwidth Hangul filler
    {0x1D173, 0x1D17A, 0},        // musical beams and slurs
    {0x2F868, 0x2F868, 0x36FC},   // CJK compatibility ideographs
    {0x2F874, 0x2F874, 0x5F53},   //
    {0x2F91F, 0x2F91F, 0x243AB},  //
    {0x2F95F, 0x2F95F, 0x7AEE},   //
    {0x2F9BF, 0x2F9BF, 0x45D7},   //
});

// 0: ignored.
char32_t map_later(char32_t c) noexcept {
  const auto* const mapping = std::ranges::lower_bound(kLaterMappings, c, {}, &LaterMapping::last);
  if (mapping == kLaterMappings.end() || c < mapping->first) return c;
  return mapping->to == 0 ? 0 : mapping->to + (c - mapping->first);
}

using Utf16Domain = std::array<UChar, kDomainBytesMax>;

// Writes the domain as UTF-16, with the later mappings applied. Returns the number of code units;
// nothing if the domain is not UTF-8. REQUIRES: at most kDomainBytesMax bytes, which cannot make
// more units.
std::optional<std::int32_t> to_utf16(std::string_view domain, Utf16Domain& out) noexcept {
  const auto size = static_cast<std::int32_t>(domain.size());
  std::int32_t units = 0;
  for (std::int32_t i = 0; i < size;) {
    UChar32 c = 0;
    U8_NEXT(domain.data(), i, size, c);
    if (c < 0) return std::nullopt;
    if (c != 0) {
      c = static_cast<UChar32>(map_later(static_cast<char32_t>(c)));
      if (c == 0) continue;
    }
    U16_APPEND_UNSAFE(out, units, c);
  }
  return units;
}

// Calls `use(label)` for the text between the dots until it returns false.
template <class Use>
bool for_all_labels(std::string_view domain, Use use) {
  while (true) {
    const std::size_t dot = domain.find('.');
    if (!use(domain.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    domain.remove_prefix(dot + 1);
  }
}

// UTS #46 since Unicode 16: an "xn--" label must not decode to ASCII alone, nor to another "xn--".
bool decodes_to_a_real_label(std::string_view label) {
  if (!label.starts_with("xn--")) return true;
  const auto decoded = punycode_decode(label.substr(4));
  return decoded && !decoded->starts_with(U"xn--") &&
         std::ranges::any_of(*decoded, [](char32_t c) { return c >= 0x80; });
}

bool unicode_domain_to_ascii(std::string_view domain, std::string& out) {
  Utf16Domain utf16;
  const auto units = domain.size() <= kDomainBytesMax ? to_utf16(domain, utf16) : std::nullopt;
  if (!units) return false;
  Utf16Domain ascii;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t size =
      uidna_nameToASCII(&idna(), utf16.data(), *units, ascii.data(),
                        static_cast<std::int32_t>(ascii.size()), &info, &status);
  if (U_FAILURE(status) || (info.errors & ~kErrorsIgnored) != 0) return false;
  if (size > static_cast<std::int32_t>(ascii.size())) return false;
  const std::size_t size_before = out.size();
  std::transform(ascii.begin(), ascii.begin() + size, std::back_inserter(out),
                 [](UChar unit) { return static_cast<char>(unit); });
  if (for_all_labels(std::string_view(out).substr(size_before), decodes_to_a_real_label)) {
    return true;
  }
  out.resize(size_before);
  return false;
}

}  // namespace

bool domain_to_ascii(std::string_view domain, std::string& out) {
  if (!all_ascii(domain)) return unicode_domain_to_ascii(domain, out);
  std::ranges::transform(domain, std::back_inserter(out), to_lower);
  return true;
}

}  // namespace gossamer::url
