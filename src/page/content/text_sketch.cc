#include "content/text_sketch.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <string>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace gossamer::content {
namespace {

constexpr std::size_t kWordsTogether = 4;
constexpr unsigned kValueBits = std::bit_width(TextSketch::kValues - 1);
constexpr std::uint64_t kNoHash = std::numeric_limits<std::uint64_t>::max();

// Spreads the bits of a number (the finalizer of MurmurHash3).
std::uint64_t mix(std::uint64_t bits) noexcept {
  bits = (bits ^ bits >> 33) * 0xFF51'AFD7'ED55'8CCD;
  bits = (bits ^ bits >> 33) * 0xC4CE'B9FE'1A85'EC53;
  return bits ^ bits >> 33;
}

enum class CharKind : std::uint8_t { gap, part, word };

// Characters of Chinese, Japanese, Thai and the like are words of their own, because no spaces
// separate the words.
CharKind kind_of(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  switch (u_getIntPropertyValue(c, UCHAR_LINE_BREAK)) {
    case U_LB_IDEOGRAPHIC:
    case U_LB_COMPLEX_CONTEXT:
    case U_LB_CONDITIONAL_JAPANESE_STARTER:
      return u_isUAlphabetic(c) != 0 ? CharKind::word : CharKind::gap;
    default: break;
  }
  const bool is_part =
      u_isalnum(c) != 0 || u_getCombiningClass(c) != 0 || u_charType(c) == U_COMBINING_SPACING_MARK;
  return is_part ? CharKind::part : CharKind::gap;
}

// The characters of ASCII in words, in lower case; 0: not in words, or not ASCII.
constexpr std::array<char, 256> kSketchedAscii = [] {
  std::array<char, 256> table = {};
  for (std::size_t c = 0; c < 0x80; ++c) {
    const char one = static_cast<char>(c);
    if (base::is_letter(one) || base::is_digit(one) || one == '_') table[c] = base::to_lower(one);
  }
  return table;
}();

class Sketcher {
 public:
  void add(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      if (static_cast<unsigned char>(text[at]) < 0x80) [[likely]] {
        at = add_ascii(text, at);
        continue;
      }
      const base::Utf8Sequence next = base::decode_utf8(text.substr(at));
      at += std::max<std::size_t>(next.length, 1);
      if (next.length > 0) add_other(next.code_point);
    }
    end_word();
  }

  std::shared_ptr<const TextSketch> finish() {
    if (words_ < kSketchWordsMin) return nullptr;
    fill_gaps();
    TextSketch sketch = {.digest = digest_};
    for (std::size_t i = 0; i < least_.size(); ++i) {
      sketch.values[i] = static_cast<std::uint8_t>(mix(least_[i]));
    }
    return std::make_shared<const TextSketch>(sketch);
  }

 private:
  // Adds characters of one word, or ends it. Returns the place after them.
  std::size_t add_ascii(std::string_view text, std::size_t at) {
    const std::size_t begin = at;
    int changed = 0;
    for (; at < text.size(); ++at) {
      const char lower = kSketchedAscii[static_cast<unsigned char>(text[at])];
      if (lower == 0) break;
      changed |= lower ^ text[at];
    }
    if (at == begin) {
      if (text[at] != '\'') end_word();  // "don't" is one word
      return at + 1;
    }
    const bool is_whole = word_.empty() && at < text.size() && text[at] != '\'' &&
                          static_cast<unsigned char>(text[at]) < 0x80;
    // Most words are not copied.
    if (is_whole && changed == 0) {
      add_word(text.substr(begin, at - begin));
      return at + 1;
    }
    const std::size_t size = word_.size();
    word_.append(text, begin, at - begin);
    for (char& c : std::span(word_).subspan(size)) {
      c = kSketchedAscii[static_cast<unsigned char>(c)];
    }
    return at;
  }

  void add_other(char32_t code_point) {
    constexpr char32_t kApostrophe = 0x2019;
    if (code_point == kApostrophe) return;
    const CharKind kind = kind_of(code_point);
    if (kind != CharKind::part) end_word();
    if (kind == CharKind::gap) return;
    const auto folded = u_foldCase(static_cast<UChar32>(code_point), U_FOLD_CASE_DEFAULT);
    base::append_utf8(word_, static_cast<char32_t>(folded));
    if (kind == CharKind::word) end_word();
  }

  void end_word() {
    if (word_.empty()) return;
    add_word(word_);
    word_.clear();
  }

  void add_word(std::string_view word) {
    constexpr std::uint64_t kFactor = 0x9E37'79B9'7F4A'7C15;
    const std::uint64_t hash = base::hash64(word);
    digest_ = mix(digest_ * kFactor + hash);
    static_assert(kWordsTogether == 4);
    last_ = {last_[1], last_[2], last_[3], hash};
    if (++words_ < kWordsTogether) return;
    std::uint64_t sequence = 0;
    for (const std::uint64_t one : last_) sequence = mix(sequence * kFactor + one);
    std::uint64_t& least = least_[sequence >> (64 - kValueBits)];
    least = std::min(least, sequence << kValueBits >> kValueBits);
  }

  // A short text has fewer sequences than values. The others are copied from places that depend
  // only on the value, so that equal texts stay equal (A. Shrivastava, "Optimal densification for
  // fast and accurate minwise hashing", 2017).
  void fill_gaps() {
    const auto found = least_;
    for (std::size_t i = 0; i < least_.size(); ++i) {
      for (std::uint64_t attempt = 1; least_[i] == kNoHash; ++attempt) {
        least_[i] = found[mix(i << 32 | attempt) >> (64 - kValueBits)];
      }
    }
  }

  std::string word_;
  std::size_t words_ = 0;
  std::uint64_t digest_ = 0;
  std::array<std::uint64_t, kWordsTogether> last_ = {};  // the last words
  std::array<std::uint64_t, TextSketch::kValues> least_ = [] {
    std::array<std::uint64_t, TextSketch::kValues> none = {};
    none.fill(kNoHash);
    return none;
  }();
};

}  // namespace

std::shared_ptr<const TextSketch> text_sketch(std::string_view text) {
  Sketcher sketcher;
  sketcher.add(text);
  return sketcher.finish();
}

double overlap(const TextSketch& a, const TextSketch& b) noexcept {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < TextSketch::kValues; ++i) equal += a.values[i] == b.values[i] ? 1 : 0;
  // One of 256 values is equal by chance.
  constexpr double kChance = 1.0 / 256;
  const double share = static_cast<double>(equal) / TextSketch::kValues;
  return std::max(0.0, (share - kChance) / (1 - kChance));
}

bool are_similar(const TextSketch& a, const TextSketch& b) noexcept {
  return a.digest == b.digest || overlap(a, b) >= kSimilarOverlapMin;
}

}  // namespace gossamer::content
