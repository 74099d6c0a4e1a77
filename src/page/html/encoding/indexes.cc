#include "html/encoding/indexes.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/check.h"

namespace gossamer::html {
namespace {

struct IndexException {
  std::uint32_t pointer;
  std::uint32_t code_point;
};

#include "html/encoding/index_exceptions.inc"

// Returns the bytes for a pointer, in the encoding of the converter.
using BytesOf = std::string (*)(std::uint32_t pointer);

// An ICU converter, used for one character at a time.
class Converter {
 public:
  explicit Converter(const char* name) {
    UErrorCode error = U_ZERO_ERROR;
    converter_ = ucnv_open(name, &error);
    CHECK(U_SUCCESS(error), "ICU has no converter {}", name);
    // Invalid bytes must be an error, not U+FFFD.
    ucnv_setToUCallBack(converter_, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &error);
    CHECK(U_SUCCESS(error));
  }
  ~Converter() { ucnv_close(converter_); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // Returns 0 if the bytes are not exactly one character.
  std::uint32_t code_point(const std::string& bytes) {
    ucnv_reset(converter_);
    UErrorCode error = U_ZERO_ERROR;
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    const UChar32 found = ucnv_getNextUChar(converter_, &at, end, &error);
    return U_SUCCESS(error) && at == end ? static_cast<std::uint32_t>(found) : 0;
  }

 private:
  UConverter* converter_;
};

// Browsers do not map the characters that vendors map to private code points.
enum class PrivateUse : bool { dropped, kept };

std::vector<std::uint32_t> read_index(const char* converter_name, std::uint32_t pointers,
                                      BytesOf bytes_of, PrivateUse private_use,
                                      std::span<const IndexException> exceptions = {}) {
  Converter converter(converter_name);
  std::vector<std::uint32_t> index(pointers);
  for (std::uint32_t pointer = 0; pointer < pointers; ++pointer) {
    const std::uint32_t code_point = converter.code_point(bytes_of(pointer));
    const bool is_private = code_point >= 0xE000 && code_point <= 0xF8FF;
    if (!is_private || private_use == PrivateUse::kept) index[pointer] = code_point;
  }
  for (const IndexException& exception : exceptions) {
    index[exception.pointer] = exception.code_point;
  }
  return index;
}

std::string pair(std::uint32_t lead, std::uint32_t trail) {
  return {static_cast<char>(lead), static_cast<char>(trail)};
}

std::string gb18030_pair(std::uint32_t pointer) {
  const std::uint32_t trail = pointer % 190;
  return pair(0x81 + pointer / 190, trail + (trail < 0x3F ? 0x40 : 0x41));
}

std::string gb18030_four(std::uint32_t pointer) {
  return pair(0x81 + pointer / 12600, 0x30 + pointer / 1260 % 10) +
         pair(0x81 + pointer / 10 % 126, 0x30 + pointer % 10);
}

std::string euc_kr_pair(std::uint32_t pointer) {
  return pair(0x81 + pointer / 190, 0x41 + pointer % 190);
}

std::string big5_pair(std::uint32_t pointer) {
  const std::uint32_t trail = pointer % 157;
  return pair(0x81 + pointer / 157, trail + (trail < 0x3F ? 0x40 : 0x62));
}

std::string shift_jis_pair(std::uint32_t pointer) {
  const std::uint32_t lead = pointer / 188;
  const std::uint32_t trail = pointer % 188;
  return pair(lead + (lead < 0x1F ? 0x81 : 0xC1), trail + (trail < 0x3F ? 0x40 : 0x41));
}

std::string euc_jp_three(std::uint32_t pointer) {
  return "\x8F" + pair(0xA1 + pointer / 94, 0xA1 + pointer % 94);
}

std::uint32_t at(const std::vector<std::uint32_t>& index, std::uint32_t pointer) {
  return pointer < index.size() ? index[pointer] : 0;
}

// The number of four-byte sequences below U+10000, and the first one after them.
constexpr std::uint32_t kGb18030FourByteBmp = 39420;
constexpr std::uint32_t kGb18030Supplementary = 189000;
// Two standards exchanged two characters here.
constexpr std::uint32_t kExchangedPointer = 7457;
constexpr std::uint32_t kExchangedCodePoint = 0xE7C7;

struct Gb18030Range {
  std::uint32_t pointer;
  std::uint32_t code_point;
};

// Finds runs of pointers with consecutive code points.
std::vector<Gb18030Range> read_gb18030_ranges() {
  const auto index = read_index("gb18030", kGb18030FourByteBmp, gb18030_four, PrivateUse::kept);
  std::vector<Gb18030Range> ranges;
  for (std::uint32_t pointer = 0; pointer < index.size(); ++pointer) {
    if (pointer == kExchangedPointer) continue;
    const bool goes_on =
        !ranges.empty() &&
        ranges.back().code_point + (pointer - ranges.back().pointer) == index[pointer];
    if (!goes_on) ranges.push_back({pointer, index[pointer]});
  }
  ranges.push_back({kGb18030Supplementary, 0x10000});
  return ranges;
}

const std::vector<Gb18030Range>& gb18030_ranges() {
  static const std::vector<Gb18030Range> ranges = read_gb18030_ranges();
  return ranges;
}

// Full-width katakana and marks, in the order of the half-width ones from U+FF61.
constexpr std::array<std::uint16_t, 63> kIso2022JpKatakana = {
    12290, 12300, 12301, 12289, 12539, 12530, 12449, 12451, 12453, 12455, 12457, 12515, 12517,
    12519, 12483, 12540, 12450, 12452, 12454, 12456, 12458, 12459, 12461, 12463, 12465, 12467,
    12469, 12471, 12473, 12475, 12477, 12479, 12481, 12484, 12486, 12488, 12490, 12491, 12492,
    12493, 12494, 12495, 12498, 12501, 12504, 12507, 12510, 12511, 12512, 12513, 12514, 12516,
    12518, 12520, 12521, 12522, 12523, 12524, 12525, 12527, 12531, 12443, 12444,
};

}  // namespace

std::uint32_t gb18030_code_point(std::uint32_t pointer) noexcept {
  static const auto index =
      read_index("gb18030", kGb18030Pointers, gb18030_pair, PrivateUse::kept, kGb18030Exceptions);
  return at(index, pointer);
}

// JIS X 0208 with the extensions of NEC and IBM, which Shift_JIS has and EUC-JP does not.
std::uint32_t jis0208_code_point(std::uint32_t pointer) noexcept {
  static const auto index =
      read_index("windows-31j", kJis0208Pointers, shift_jis_pair, PrivateUse::dropped);
  return at(index, pointer);
}

std::uint32_t jis0212_code_point(std::uint32_t pointer) noexcept {
  static const auto index =
      read_index("EUC-JP", kJis0212Pointers, euc_jp_three, PrivateUse::dropped);
  return at(index, pointer);
}

std::uint32_t euc_kr_code_point(std::uint32_t pointer) noexcept {
  static const auto index =
      read_index("windows-949", kEucKrPointers, euc_kr_pair, PrivateUse::dropped);
  return at(index, pointer);
}

std::uint32_t big5_code_point(std::uint32_t pointer) noexcept {
  static const auto index =
      read_index("Big5-HKSCS", kBig5Pointers, big5_pair, PrivateUse::dropped, kBig5Exceptions);
  return at(index, pointer);
}

// https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
std::uint32_t gb18030_ranges_code_point(std::uint32_t pointer) noexcept {
  const bool is_gap = pointer >= kGb18030FourByteBmp && pointer < kGb18030Supplementary;
  if (is_gap || pointer > 1237575) return 0;
  if (pointer == kExchangedPointer) return kExchangedCodePoint;
  const auto after =
      std::ranges::upper_bound(gb18030_ranges(), pointer, {}, &Gb18030Range::pointer);
  const Gb18030Range& range = *(after - 1);
  return range.code_point + (pointer - range.pointer);
}

// https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer
std::uint32_t gb18030_ranges_pointer(std::uint32_t code_point) noexcept {
  if (code_point == kExchangedCodePoint) return kExchangedPointer;
  const auto after =
      std::ranges::upper_bound(gb18030_ranges(), code_point, {}, &Gb18030Range::code_point);
  const Gb18030Range& range = *(after - 1);
  return range.pointer + (code_point - range.code_point);
}

std::span<const std::uint16_t> katakana_index() noexcept { return kIso2022JpKatakana; }

}  // namespace gossamer::html
