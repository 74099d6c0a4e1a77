#include "content/text_sketch.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <bit>
#include <limits>
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

class Sketcher {
 public:
  void add(std::string_view text) {
    while (!text.empty()) {
      const char c = text.front();
      if (static_cast<unsigned char>(c) < 0x80) {
        text.remove_prefix(1);
        add_ascii(c);
        continue;
      }
      const base::Utf8Sequence next = base::decode_utf8(text);
      text.remove_prefix(std::max<std::size_t>(next.length, 1));
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
  void add_ascii(char c) {
    if (base::is_letter(c) || base::is_digit(c) || c == '_') {
      word_ += base::to_lower(c);
    } else if (c != '\'') {  // "don't" is one word
      end_word();
    }
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
    const std::uint64_t hash = base::hash64(word_);
    word_.clear();
    digest_ = mix(digest_ * 0x9E37'79B9'7F4A'7C15 + hash);
    last_[words_ % kWordsTogether] = hash;
    if (++words_ >= kWordsTogether) add_sequence();
  }

  void add_sequence() {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < kWordsTogether; ++i) {
      hash = mix(hash * 0x9E37'79B9'7F4A'7C15 + last_[(words_ + i) % kWordsTogether]);
    }
    std::uint64_t& least = least_[hash >> (64 - kValueBits)];
    least = std::min(least, hash << kValueBits >> kValueBits);
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
