#include "content/text_blocks.h"

#include <gtest/gtest.h>

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
