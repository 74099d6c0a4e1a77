#include "html/encoding/encoder.h"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "html/encoding/block.h"
#include "html/encoding/indexes.h"
#include "html/encoding/utf8.h"

namespace gossamer::html {
namespace {

constexpr std::uint32_t kNoPointer = ~0U;

// The inverse of an index: the first pointer of each code point.
class Pointers {
 public:
  // `skip(pointer)` is true for pointers that the encoder does not use.
  template <class Skip>
  Pointers(std::uint32_t (*code_point_of)(std::uint32_t), std::uint32_t count, Skip skip) {
    for (std::uint32_t pointer = 0; pointer < count; ++pointer) {
      const std::uint32_t code_point = code_point_of(pointer);
      if (code_point != 0 && !skip(pointer)) entries_.push_back({code_point, pointer});
    }
    std::ranges::sort(entries_);
  }

  std::uint32_t first(std::uint32_t code_point) const {
    const auto found = std::ranges::lower_bound(entries_, code_point, {}, &Entry::code_point);
    return found == entries_.end() || found->code_point != code_point ? kNoPointer : found->pointer;
  }
  std::uint32_t last(std::uint32_t code_point) const {
    const auto after = std::ranges::upper_bound(entries_, code_point, {}, &Entry::code_point);
    return after == entries_.begin() || (after - 1)->code_point != code_point
               ? kNoPointer
               : (after - 1)->pointer;
  }

 private:
  struct Entry {
    std::uint32_t code_point;
    std::uint32_t pointer;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries_;
};

// These tables are built on first use and never change.
constexpr auto kSkipNone = [](std::uint32_t) { return false; };

const Pointers& gb18030_pointers() {
  static const Pointers kPointers(gb18030_code_point, kGb18030Pointers, kSkipNone);
  return kPointers;
}
const Pointers& euc_kr_pointers() {
  static const Pointers kPointers(euc_kr_code_point, kEucKrPointers, kSkipNone);
  return kPointers;
}
const Pointers& jis0208_pointers() {
  static const Pointers kPointers(jis0208_code_point, kJis0208Pointers, kSkipNone);
  return kPointers;
}
// "index Shift_JIS pointer": without the NEC rows that IBM's rows duplicate.
const Pointers& shift_jis_pointers() {
  static const Pointers kPointers(jis0208_code_point, kJis0208Pointers, [](std::uint32_t pointer) {
    return is_within(pointer, 8272, 8835);
  });
  return kPointers;
}
// "index Big5 pointer": without the Hong Kong extensions below 0xA1.
const Pointers& big5_pointers() {
  static const Pointers kPointers(big5_code_point, kBig5Pointers, [](std::uint32_t pointer) {
    return pointer < (0xA1 - 0x81) * 157;
  });
  return kPointers;
}

void append(std::string& out, std::uint32_t first, std::uint32_t second) {
  out.push_back(static_cast<char>(first));
  out.push_back(static_cast<char>(second));
}

// Each appends one code point from 0x80 on; false: the encoding has no such character.

bool put_single_byte(Encoding encoding, std::uint32_t code_point, std::string& out) {
  for (std::uint32_t byte = 0x80; byte < 0x100; ++byte) {
    if (single_byte_code_point(encoding, static_cast<std::uint8_t>(byte)) != code_point) continue;
    out.push_back(static_cast<char>(byte));
    return true;
  }
  return false;
}

struct TwoBytes {
  std::uint16_t code_point;
  std::uint16_t bytes;
};
// Former private use characters that the index now assigns to the real ones.
constexpr std::array<TwoBytes, 18> kGb18030Side = {{{0xE78D, 0xA6D9},
                                                    {0xE78E, 0xA6DA},
                                                    {0xE78F, 0xA6DB},
                                                    {0xE790, 0xA6DC},
                                                    {0xE791, 0xA6DD},
                                                    {0xE792, 0xA6DE},
                                                    {0xE793, 0xA6DF},
                                                    {0xE794, 0xA6EC},
                                                    {0xE795, 0xA6ED},
                                                    {0xE796, 0xA6F3},
                                                    {0xE81E, 0xFE59},
                                                    {0xE826, 0xFE61},
                                                    {0xE82B, 0xFE66},
                                                    {0xE82C, 0xFE67},
                                                    {0xE832, 0xFE6D},
                                                    {0xE843, 0xFE7E},
                                                    {0xE854, 0xFE90},
                                                    {0xE864, 0xFEA0}}};

// https://encoding.spec.whatwg.org/#gb18030-encoder
bool put_gb18030(bool is_gbk, std::uint32_t code_point, std::string& out) {
  if (code_point == 0xE5E5) return false;
  if (is_gbk && code_point == 0x20AC) {
    out.push_back('\x80');
    return true;
  }
  const auto* side = std::ranges::find(kGb18030Side, code_point, &TwoBytes::code_point);
  if (side != kGb18030Side.end()) {
    append(out, side->bytes >> 8, side->bytes & 0xFF);
    return true;
  }
  const std::uint32_t pointer = gb18030_pointers().first(code_point);
  if (pointer != kNoPointer) {
    const std::uint32_t trail = pointer % 190;
    append(out, pointer / 190 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x41));
    return true;
  }
  if (is_gbk) return false;
  const std::uint32_t far = gb18030_ranges_pointer(code_point);
  append(out, far / 12600 + 0x81, far % 12600 / 1260 + 0x30);
  append(out, far % 1260 / 10 + 0x81, far % 10 + 0x30);
  return true;
}

// https://encoding.spec.whatwg.org/#big5-encoder
bool put_big5(std::uint32_t code_point, std::string& out) {
  constexpr std::array<std::uint32_t, 6> kLast = {0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345};
  const bool takes_last = std::ranges::find(kLast, code_point) != kLast.end();
  const std::uint32_t pointer =
      takes_last ? big5_pointers().last(code_point) : big5_pointers().first(code_point);
  if (pointer == kNoPointer) return false;
  const std::uint32_t trail = pointer % 157;
  append(out, pointer / 157 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x62));
  return true;
}

bool put_euc_kr(std::uint32_t code_point, std::string& out) {
  const std::uint32_t pointer = euc_kr_pointers().first(code_point);
  if (pointer == kNoPointer) return false;
  append(out, pointer / 190 + 0x81, pointer % 190 + 0x41);
  return true;
}

// https://encoding.spec.whatwg.org/#euc-jp-encoder
bool put_euc_jp(std::uint32_t code_point, std::string& out) {
  if (code_point == 0xA5 || code_point == 0x203E) {
    out.push_back(code_point == 0xA5 ? '\x5C' : '\x7E');
    return true;
  }
  if (is_within(code_point, 0xFF61, 0xFF9F)) {
    append(out, 0x8E, code_point - 0xFF61 + 0xA1);
    return true;
  }
  const std::uint32_t pointer =
      jis0208_pointers().first(code_point == 0x2212 ? 0xFF0D : code_point);
  // The decoder does not read rows beyond 94.
  if (pointer == kNoPointer || pointer >= 94 * 94) return false;
  append(out, pointer / 94 + 0xA1, pointer % 94 + 0xA1);
  return true;
}

// https://encoding.spec.whatwg.org/#shift_jis-encoder
bool put_shift_jis(std::uint32_t code_point, std::string& out) {
  if (code_point == 0x80 || code_point == 0xA5 || code_point == 0x203E) {
    out.push_back(code_point == 0x80 ? '\x80' : code_point == 0xA5 ? '\x5C' : '\x7E');
    return true;
  }
  if (is_within(code_point, 0xFF61, 0xFF9F)) {
    out.push_back(static_cast<char>(code_point - 0xFF61 + 0xA1));
    return true;
  }
  const std::uint32_t pointer =
      shift_jis_pointers().first(code_point == 0x2212 ? 0xFF0D : code_point);
  if (pointer == kNoPointer) return false;
  const std::uint32_t lead = pointer / 188;
  const std::uint32_t trail = pointer % 188;
  append(out, lead + (lead < 0x1F ? 0x81 : 0xC1), trail + (trail < 0x3F ? 0x40 : 0x41));
  return true;
}

bool put_utf_8(std::uint32_t code_point, std::string& out) {
  std::array<char, 4> buffer;
  const char* const end = put_utf8(buffer.data(), code_point);
  out.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  return true;
}

bool put_code_point(Encoding encoding, std::uint32_t code_point, std::string& out) {
  switch (encoding) {
    case Encoding::utf_8: return put_utf_8(code_point, out);
    case Encoding::gbk:
    case Encoding::gb18030: return put_gb18030(encoding == Encoding::gbk, code_point, out);
    case Encoding::big5: return put_big5(code_point, out);
    case Encoding::euc_kr: return put_euc_kr(code_point, out);
    case Encoding::euc_jp: return put_euc_jp(code_point, out);
    case Encoding::shift_jis: return put_shift_jis(code_point, out);
    default: return put_single_byte(encoding, code_point, out);
  }
}

// Removes a code point from the front of a text that is not empty.
std::uint32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (valid_utf8_prefix(text.substr(0, length)) < length) {
    text.remove_prefix(1);
    return 0xFFFD;
  }
  std::uint32_t code_point = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) code_point = code_point << 6 | (byte(i) & 0x3F);
  text.remove_prefix(length);
  return code_point;
}

// https://encoding.spec.whatwg.org/#iso-2022-jp-encoder
class Iso2022JpEncoder {
 public:
  Iso2022JpEncoder(std::uint8_t& mode, std::string& out) : mode_(mode), out_(out) {}

  // Returns the code point that could not be encoded, if any; U+FFFD for code points that could be
  // an attack.
  std::optional<std::uint32_t> put(std::uint32_t code_point) {
    if (code_point == 0xA5 || code_point == 0x203E) {
      switch_to(kRoman);
      out_.push_back(code_point == 0xA5 ? '\x5C' : '\x7E');
      return std::nullopt;
    }
    if (code_point >= 0x80) return put_jis0208(code_point);
    if (mode_ == kJis0208 || code_point == 0x5C || code_point == 0x7E) switch_to(kAscii);
    if (code_point == 0x0E || code_point == 0x0F || code_point == 0x1B) return 0xFFFD;
    out_.push_back(static_cast<char>(code_point));
    return std::nullopt;
  }

  void finish() { switch_to(kAscii); }

 private:
  static constexpr std::uint8_t kAscii = 0;
  static constexpr std::uint8_t kRoman = 1;
  static constexpr std::uint8_t kJis0208 = 2;

  std::optional<std::uint32_t> put_jis0208(std::uint32_t code_point) {
    const std::uint32_t original = code_point;
    if (code_point == 0x2212) code_point = 0xFF0D;
    if (is_within(code_point, 0xFF61, 0xFF9F)) code_point = katakana_index()[code_point - 0xFF61];
    const std::uint32_t pointer = jis0208_pointers().first(code_point);
    if (pointer == kNoPointer || pointer >= 94 * 94) {
      // Its replacement is written in ASCII.
      if (mode_ == kJis0208) switch_to(kAscii);
      return original;
    }
    switch_to(kJis0208);
    append(out_, pointer / 94 + 0x21, pointer % 94 + 0x21);
    return std::nullopt;
  }

  void switch_to(std::uint8_t mode) {
    if (mode == mode_) return;
    mode_ = mode;
    out_.append(mode == kAscii ? "\x1B(B" : mode == kRoman ? "\x1B(J" : "\x1B$B");
  }

  std::uint8_t& mode_;
  std::string& out_;
};

// Appends the characters that the encoding has. Returns the first code point that it does not have,
// and moves `text` past it.
std::optional<std::uint32_t> encode_part(Encoding encoding, std::uint8_t& mode,
                                         std::string_view& text, std::string& out) {
  if (encoding == Encoding::iso_2022_jp) {
    Iso2022JpEncoder encoder(mode, out);
    while (!text.empty()) {
      if (const auto refused = encoder.put(take_code_point(text))) return refused;
    }
    encoder.finish();
    return std::nullopt;
  }
  while (!text.empty()) {
    const std::size_t ascii_bytes = ascii_prefix(text);
    out.append(text.substr(0, ascii_bytes));
    text.remove_prefix(ascii_bytes);
    if (text.empty()) break;
    const std::uint32_t code_point = take_code_point(text);
    if (!put_code_point(encoding, code_point, out)) return code_point;
  }
  return std::nullopt;
}

}  // namespace

url::QueryEncoder::Step Encoder::encode(std::string_view text, std::string& bytes) {
  std::string_view rest = text;
  const auto refused = encode_part(encoding_, mode_, rest, bytes);
  Step step = {.consumed = text.size() - rest.size()};
  if (refused) step.refused = static_cast<char32_t>(*refused);
  return step;
}

std::string encode(Encoding encoding, std::string_view text) {
  std::string bytes;
  Encoder encoder(encoding);
  do {
    const auto step = encoder.encode(text, bytes);
    text.remove_prefix(step.consumed);
    if (step.refused)
      bytes += "&#" + std::to_string(static_cast<std::uint32_t>(*step.refused)) + ";";
    if (step.refused && text.empty()) encoder.encode({}, bytes);
  } while (!text.empty());
  return bytes;
}

}  // namespace gossamer::html
