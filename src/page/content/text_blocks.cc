#include "content/text_blocks.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "content/byte_tally.h"

namespace gossamer::content {
namespace {

bool is_sentence_end(std::string_view rest) {
  const char c = rest.front();
  return c == '.' || c == '!' || c == '?' || rest.starts_with("\xE3\x80\x82");
}

// Returns whether a text ends with the end of a sentence; `before`: the text before it did.
// Quotes and brackets may follow. Letters that are not ASCII may be quotes.
bool ends_sentence(std::string_view text, bool before) {
  for (std::size_t at = text.size(); at-- > 0;) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) <= ' ') continue;
    if (is_sentence_end(text.substr(at))) return true;
    const bool is_quote = c == '"' || c == ')' || c == '\'' || static_cast<signed char>(c) < 0;
    if (!is_quote) return false;
  }
  return before;
}

// Counts the texts of blocks, one after the other.
class BlockCounter {
 public:
  void add(std::string_view text, bool is_link) {
    if (is_link != is_link_) take_bytes();
    is_link_ = is_link;
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') {
      text.remove_prefix(1);
      is_in_word_ = false;
    }
    block_.ends_sentence = ends_sentence(text, block_.ends_sentence);
    bool is_foreign = false;
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view some = rest.substr(0, Tally::kMax * kBytesTogether);
      rest.remove_prefix(some.size());
      is_foreign = add_some(some) || is_foreign;
    }
    if (is_foreign) count_foreign(text);
  }
  // Returns the block, and begins the next one.
  TextBlock take(std::uint32_t at) {
    take_tallies();
    is_in_word_ = false;
    TextBlock block = std::exchange(block_, {});
    block.at = at;
    return block;
  }

 private:
  // Returns whether there are bytes that are not ASCII.
  bool add_some(std::string_view text) {
    const std::size_t steps = (text.size() + kBytesTogether - 1) / kBytesTogether;
    if (steps_ + steps > Tally::kMax) take_tallies();
    steps_ += steps;
    Tallies tallies = tallies_;  // bytes of texts might be anything, so these are no members
    Bytes seen = {};
    Masks last = {};
    if (is_in_word_) last = ~last;
    for (std::size_t at = 0; at < text.size(); at += kBytesTogether) {
      const Bytes bytes = bytes_at(text, at);
      const Masks is_ink = bytes > ' ';
      const Masks was_ink = bytes_before(last, is_ink);
      last = is_ink;
      tallies.ink.add(is_ink);
      tallies.words.add(is_ink & ~was_ink);
      tallies.commas.add(bytes == ',');
      tallies.ends.add((bytes == '.') | (bytes == '!') | (bytes == '?'));
      tallies.digits.add(bytes - '0' < Bytes{} + 10);
      tallies.capitals.add(bytes - 'A' < Bytes{} + 26);
      tallies.dollars.add(bytes == '$');
      seen |= bytes;
    }
    tallies_ = tallies;
    is_in_word_ = static_cast<unsigned char>(text.back()) > ' ';
    return has_foreign(seen);
  }
  // Of texts that all are in links, or all are not.
  void take_bytes() {
    const std::uint32_t words = tallies_.words.take();
    // A space before each word but the first.
    const bool is_first = block_.words == 0 && words > 0;
    const std::uint32_t bytes = tallies_.ink.take() + words - (is_first ? 1 : 0);
    block_.words += words;
    block_.bytes += bytes;
    block_.link_bytes += is_link_ ? bytes : 0;
  }
  void take_tallies() {
    take_bytes();
    block_.commas += tallies_.commas.take();
    block_.sentences += tallies_.ends.take();
    block_.digits += tallies_.digits.take();
    block_.capitals += tallies_.capitals.take();
    block_.prices += tallies_.dollars.take();
    steps_ = 0;
  }
  void count_foreign(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (static_cast<signed char>(text[at]) >= 0) continue;
      const std::string_view rest = text.substr(at, 3);
      block_.sentences += rest == "\xE3\x80\x82" ? 1 : 0;
      const bool is_price =
          rest == "\xE2\x82\xAC" || rest.starts_with("\xC2\xA3") || rest == "\xE2\x82\xB9";
      block_.prices += is_price ? 1 : 0;
    }
  }

  struct Tallies {
    Tally ink;
    Tally words;
    Tally commas;
    Tally ends;
    Tally digits;
    Tally capitals;
    Tally dollars;
  };
  TextBlock block_;
  Tallies tallies_;
  std::size_t steps_ = 0;  // that the tallies have counted
  bool is_in_word_ = false;
  bool is_link_ = false;  // of the last text
};

// Numbers of keys: equal keys have the same one, that of the first of them.
std::vector<std::uint32_t> numbers_of(const std::vector<std::uint64_t>& keys) {
  std::vector<std::uint32_t> numbers(keys.size());
  std::vector<std::uint32_t> places(std::bit_ceil(2 * keys.size() + 1));  // numbers from 1; 0: free
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    std::size_t place = keys[i] % places.size();
    while (places[place] != 0 && keys[places[place] - 1] != keys[i]) {
      place = (place + 1) % places.size();
    }
    if (places[place] == 0) places[place] = i + 1;
    numbers[i] = places[place] - 1;
  }
  return numbers;
}

std::vector<std::uint32_t> counts_of(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint32_t> counts(numbers.size());
  for (const std::uint32_t number : numbers) ++counts[number];
  return counts;
}

// Of what equal texts have in common, whatever their white space.
std::uint64_t key_of_counts(const TextBlock& block) {
  std::uint64_t key = 0;
  for (const std::uint32_t count : {block.bytes - block.words, block.commas, block.sentences,
                                    block.digits, block.capitals, block.prices}) {
    key = std::rotl((key ^ count) * 0x9E3779B97F4A7C15, 29);
  }
  return key;
}

std::uint64_t hash_of_ink(const Outline& outline, std::uint32_t at) {
  std::string ink;
  for_each_text(outline, at, false, [&ink](std::string_view text, bool) {
    for (const char c : text) {
      if (static_cast<unsigned char>(c) > ' ') ink += c;
    }
  });
  return base::hash64(ink);
}

// Most blocks differ in their counts, so few texts are read again.
void count_copies(const Outline& outline, std::vector<TextBlock>& blocks) {
  std::vector<std::uint64_t> keys;
  keys.reserve(blocks.size());
  for (const TextBlock& block : blocks) keys.push_back(key_of_counts(block));
  std::vector<std::uint32_t> numbers = numbers_of(keys);
  std::vector<std::uint32_t> counts = counts_of(numbers);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (counts[numbers[i]] > 1) keys[i] = hash_of_ink(outline, blocks[i].at);
  }
  numbers = numbers_of(keys);
  counts = counts_of(numbers);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].copies = counts[numbers[i]];
}

}  // namespace

std::vector<TextBlock> text_blocks(const Outline& outline) {
  std::vector<TextBlock> blocks;
  std::vector<std::uint8_t> is_in_link(outline.size());
  BlockCounter counter;
  for (std::uint32_t at = 0; at < outline.size(); ++at) {
    const OutlineItem& item = outline[at];
    if (item.all.blocks == 0) continue;
    const bool is_inherited = item.parent != kNoItem && is_in_link[item.parent] != 0;
    is_in_link[at] = is_inherited || item.is(html::TagId::a) ? 1 : 0;
    if (!item.is_kept || item.all.text == 0) continue;
    for_each_text(outline, at, false,
                  [&counter](std::string_view text, bool is_link) { counter.add(text, is_link); });
    TextBlock block = counter.take(at);
    if (block.bytes == 0) continue;
    // A link may be around blocks, too.
    if (is_in_link[at] != 0) block.link_bytes = block.bytes;
    blocks.push_back(block);
  }
  count_copies(outline, blocks);
  return blocks;
}

}  // namespace gossamer::content
