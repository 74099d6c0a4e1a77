#include "content/text_blocks.h"

namespace gossamer::content {
namespace {

class BlockCounter {
 public:
  explicit BlockCounter(std::uint32_t at) { block_.at = at; }

  void add(std::string_view text, bool is_link) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (byte <= ' ') {
        is_in_word_ = false;
        continue;
      }
      if (!is_in_word_) begin_word(is_link);
      ++block_.bytes;
      block_.link_bytes += is_link ? 1 : 0;
      hash_ = (hash_ ^ byte) * 0x01000193;
      count(text[i], text.substr(i));
    }
  }
  TextBlock take() {
    block_.hash = hash_;
    block_.ends_sentence = is_sentence_end_;
    return block_;
  }

 private:
  void begin_word(bool is_link) {
    is_in_word_ = true;
    ++block_.words;
    if (block_.bytes == 0) return;
    ++block_.bytes;
    block_.link_bytes += is_link ? 1 : 0;
  }
  void count(char c, std::string_view rest) {
    const bool is_full_stop = rest.starts_with("\xE3\x80\x82");
    const bool is_end = c == '.' || c == '!' || c == '?' || is_full_stop;
    block_.sentences += is_end ? 1 : 0;
    const bool is_quote = c == '"' || c == ')' || c == '\'' || static_cast<signed char>(c) < 0;
    is_sentence_end_ = is_end || (is_sentence_end_ && is_quote);
    block_.commas += c == ',' ? 1 : 0;
    block_.digits += c >= '0' && c <= '9' ? 1 : 0;
    block_.capitals += c >= 'A' && c <= 'Z' ? 1 : 0;
    const bool is_price = c == '$' || rest.starts_with("\xE2\x82\xAC") ||
                          rest.starts_with("\xC2\xA3") || rest.starts_with("\xE2\x82\xB9");
    block_.prices += is_price ? 1 : 0;
  }

  TextBlock block_;
  std::uint32_t hash_ = 0x811C9DC5;
  bool is_in_word_ = false;
  bool is_sentence_end_ = false;
};

}  // namespace

std::vector<TextBlock> text_blocks(const Outline& outline) {
  std::vector<TextBlock> blocks;
  std::vector<bool> is_in_link(outline.size());
  for (std::uint32_t at = 0; at < outline.size(); ++at) {
    const OutlineItem& item = outline[at];
    const bool is_inherited = item.parent != kNoItem && is_in_link[item.parent];
    is_in_link[at] = is_inherited || item.node->is(html::TagId::a);
    if (!item.is_kept || item.all.blocks == 0 || item.all.text == 0) continue;
    BlockCounter counter(at);
    for_each_text(outline, at, false,
                  [&counter](std::string_view text, bool is_link) { counter.add(text, is_link); });
    TextBlock block = counter.take();
    if (block.bytes == 0) continue;
    // A link may be around blocks, too.
    if (is_in_link[at]) block.link_bytes = block.bytes;
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace gossamer::content
