#include "content/text_blocks.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"

namespace gossamer::content {
namespace {

// What is counted of each byte: fields of ten bits in one number, so that one addition counts all.
enum Field : unsigned {
  kCommas = 0,
  kEnds = 10,
  kDigits = 20,
  kCapitals = 30,
  kDollars = 40,
  kForeign = 50
};
constexpr std::size_t kFieldMax = 1023;

constexpr auto kCountsOfBytes = [] {
  std::array<std::uint64_t, 256> counts = {};
  const auto add = [&counts](unsigned first, unsigned last, Field field) {
    for (unsigned byte = first; byte <= last; ++byte) counts[byte] += std::uint64_t{1} << field;
  };
  add(',', ',', kCommas);
  for (const unsigned char byte : {'.', '!', '?'}) add(byte, byte, kEnds);
  add('0', '9', kDigits);
  add('A', 'Z', kCapitals);
  add('$', '$', kDollars);
  add(0x80, 0xFF, kForeign);
  return counts;
}();

bool is_sentence_end(std::string_view rest) {
  const char c = rest.front();
  return c == '.' || c == '!' || c == '?' || rest.starts_with("\xE3\x80\x82");
}

// Quotes and brackets may follow the end of a sentence. Letters that are not ASCII may be quotes.
bool ends_sentence(std::string_view ink) {
  for (std::size_t at = ink.size(); at-- > 0;) {
    if (is_sentence_end(ink.substr(at))) return true;
    const char c = ink[at];
    const bool is_quote = c == '"' || c == ')' || c == '\'' || static_cast<signed char>(c) < 0;
    if (!is_quote) return false;
  }
  return false;
}

// Counts the texts of blocks, one after the other.
class BlockCounter {
 public:
  void add(std::string_view text, bool is_link) {
    const std::size_t before = ink_.size();
    std::uint32_t words = 0;
    ink_.resize_and_overwrite(before + text.size(), [&](char* ink, std::size_t) {
      char* end = ink + before;
      bool is_in_word = is_in_word_;
      for (const char c : text) {
        const bool is_ink = static_cast<unsigned char>(c) > ' ';
        *end = c;
        end += is_ink ? 1 : 0;
        words += is_ink && !is_in_word ? 1 : 0;
        is_in_word = is_ink;
      }
      is_in_word_ = is_in_word;
      return static_cast<std::size_t>(end - ink);
    });
    // A space before each word but the first.
    const bool is_first = block_.words == 0 && words > 0;
    const auto bytes =
        static_cast<std::uint32_t>(ink_.size() - before) + words - (is_first ? 1 : 0);
    block_.words += words;
    block_.bytes += bytes;
    block_.link_bytes += is_link ? bytes : 0;
  }
  // Returns the block, and begins the next one.
  TextBlock take(std::uint32_t at) {
    TextBlock block = std::exchange(block_, {});
    block.at = at;
    count_bytes(block);
    block.hash = static_cast<std::uint32_t>(base::hash64(ink_));
    block.ends_sentence = ends_sentence(ink_);
    ink_.clear();
    is_in_word_ = false;
    return block;
  }

 private:
  void count_bytes(TextBlock& block) const {
    bool is_foreign = false;
    for (std::size_t at = 0; at < ink_.size(); at += kFieldMax) {
      std::uint64_t counts = 0;
      for (const char c : std::string_view(ink_).substr(at, kFieldMax)) {
        counts += kCountsOfBytes[static_cast<unsigned char>(c)];
      }
      const auto count = [counts](Field field) {
        return static_cast<std::uint32_t>(counts >> field & kFieldMax);
      };
      block.commas += count(kCommas);
      block.sentences += count(kEnds);
      block.digits += count(kDigits);
      block.capitals += count(kCapitals);
      block.prices += count(kDollars);
      is_foreign = is_foreign || count(kForeign) > 0;
    }
    if (is_foreign) count_foreign(block);
  }
  void count_foreign(TextBlock& block) const {
    for (std::size_t at = 0; at < ink_.size(); ++at) {
      if (static_cast<signed char>(ink_[at]) >= 0) continue;
      const std::string_view rest = std::string_view(ink_).substr(at, 3);
      block.sentences += rest == "\xE3\x80\x82" ? 1 : 0;
      const bool is_price =
          rest == "\xE2\x82\xAC" || rest.starts_with("\xC2\xA3") || rest == "\xE2\x82\xB9";
      block.prices += is_price ? 1 : 0;
    }
  }

  TextBlock block_;
  std::string ink_;  // the text without white space
  bool is_in_word_ = false;
};

}  // namespace

std::vector<TextBlock> text_blocks(const Outline& outline) {
  std::vector<TextBlock> blocks;
  std::vector<bool> is_in_link(outline.size());
  BlockCounter counter;
  for (std::uint32_t at = 0; at < outline.size(); ++at) {
    const OutlineItem& item = outline[at];
    const bool is_inherited = item.parent != kNoItem && is_in_link[item.parent];
    is_in_link[at] = is_inherited || item.is(html::TagId::a);
    if (!item.is_kept || item.all.blocks == 0 || item.all.text == 0) continue;
    for_each_text(outline, at, false,
                  [&counter](std::string_view text, bool is_link) { counter.add(text, is_link); });
    TextBlock block = counter.take(at);
    if (block.bytes == 0) continue;
    // A link may be around blocks, too.
    if (is_in_link[at]) block.link_bytes = block.bytes;
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace gossamer::content
