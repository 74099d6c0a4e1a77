#include "content/text_blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "content/block_model.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

TEST(TextBlocks, AreTheTextsOfElements) {
  const dom::Document document = dom::parse(
      "<div>Before <b>a link</b> <a href=x>two  words</a>.<p>Costs $5, or less</p> after</div>"
      "<a href=y><div>All of it</div></a>");
  const std::vector<TextBlock> blocks = text_blocks(Outline(document));
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].words, 6U);
  EXPECT_EQ(blocks[0].link_bytes, 10U);
  EXPECT_FALSE(blocks[0].ends_sentence);
  EXPECT_EQ(blocks[0].sentences, 1U);
  EXPECT_EQ(blocks[1].bytes, 17U);
  EXPECT_EQ(blocks[1].commas, 1U);
  EXPECT_EQ(blocks[1].prices, 1U);
  EXPECT_EQ(blocks[2].link_bytes, blocks[2].bytes);
}

// The definition, byte by byte, of a text without white space at its ends.
TextBlock plain_block(std::string_view text) {
  TextBlock block;
  bool is_after_space = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_space = text[at] == ' ';
    block.bytes += is_space && is_after_space ? 0 : 1;
    block.words += !is_space && is_after_space ? 1 : 0;
    is_after_space = is_space;
    const auto count = [rest = text.substr(at)](auto... signs) {
      return (std::uint32_t{rest.starts_with(signs)} + ...);
    };
    block.sentences += count(".", "!", "?", "\xE3\x80\x82");
    block.prices += count("$", "\xE2\x82\xAC", "\xC2\xA3", "\xE2\x82\xB9");
    block.commas += count(",");
    block.digits += count("0", "5", "9");
    block.capitals += count("A", "Z");
  }
  return block;
}

TEST(TextBlocks, AreCountedByteByByte) {
  base::Random random(1);
  constexpr auto kPieces = std::to_array<std::string_view>(
      {"a", "Z", "A", " ", "  ", ",", ".", "!", "?", "$", "0", "5", "9", "\xE3\x80\x82",
       "\xE2\x82\xAC", "\xC2\xA3", "\xE2\x82\xB9", "\xC3\xA4"});
  for (std::size_t round = 0; round < 300; ++round) {
    std::string text = "a";
    // Some are longer than what is counted at a time.
    for (std::size_t left = random.below(round % 10 == 0 ? 5000 : 30); left > 0; --left) {
      text += kPieces[random.below(kPieces.size())];
    }
    text += "z";
    const std::string page = "<p>" + text;
    const dom::Document document = dom::parse(page);
    const std::vector<TextBlock> blocks = text_blocks(Outline(document));
    ASSERT_EQ(blocks.size(), 1U);
    const TextBlock wanted = plain_block(text);
    EXPECT_EQ(blocks[0].bytes, wanted.bytes) << text;
    EXPECT_EQ(blocks[0].words, wanted.words) << text;
    EXPECT_EQ(blocks[0].sentences, wanted.sentences) << text;
    EXPECT_EQ(blocks[0].prices, wanted.prices) << text;
    EXPECT_EQ(blocks[0].commas, wanted.commas) << text;
    EXPECT_EQ(blocks[0].digits, wanted.digits) << text;
    EXPECT_EQ(blocks[0].capitals, wanted.capitals) << text;
  }
}

TEST(TextBlocks, KnowHowManyHaveTheirText) {
  const dom::Document document =
      dom::parse("<p>Read <b>more</b><p>Read more.<p>Read\n more<p>Reed more<p>Read more");
  std::vector<std::uint32_t> copies;
  for (const TextBlock& block : text_blocks(Outline(document))) copies.push_back(block.copies);
  EXPECT_EQ(copies, (std::vector<std::uint32_t>{3, 1, 3, 1, 3}));
}

TEST(TextBlocks, EndWithTheEndOfASentence) {
  const auto ends = [](std::string_view text) {
    const std::string page = "<p>" + std::string(text);
    return text_blocks(Outline(dom::parse(page))).front().ends_sentence;
  };
  EXPECT_TRUE(ends("He said: (\"go!\") "));
  EXPECT_TRUE(ends("\xE4\xBD\xA0\xE3\x80\x82"));
  EXPECT_TRUE(ends("He left.\xE2\x80\x9D"));
  EXPECT_TRUE(ends("He left.<b>\"</b> "));
  EXPECT_FALSE(ends("He left.<b>Now</b>)"));
  EXPECT_FALSE(ends("Go. Now"));
  EXPECT_FALSE(ends("\"now\""));
}

TEST(BestBlocks, HaveTheBestF1ThatCanBeExpected) {
  const auto block = [](std::uint32_t words) { return TextBlock{.words = words}; };
  const std::vector<TextBlock> blocks = {block(10), block(100), block(100), block(1000)};
  EXPECT_EQ(best_blocks(blocks, std::vector<double>{0.9, 0.9, 0.6, 0.01}),
            (std::vector<bool>{true, true, true, false}));
  // If nothing is likely, something is better than nothing.
  EXPECT_EQ(best_blocks(blocks, std::vector<double>{0.1, 0.3, 0.1, 0}),
            (std::vector<bool>{false, true, false, false}));
  EXPECT_TRUE(best_blocks({}, {}).empty());
}

}  // namespace
}  // namespace gossamer::content
