#include "content/block_model.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace gossamer::content {
namespace {

std::vector<BlockFeatures> random_blocks(std::size_t count) {
  base::Random random(1);
  std::vector<BlockFeatures> blocks(count);
  for (BlockFeatures& block : blocks) {
    for (float& value : block) value = static_cast<float>(random.below(200)) / 10 - 2;
  }
  return blocks;
}

// Some blocks are tried at the same time, and the last ones may be few.
TEST(MainTextProbabilities, DoNotDependOnOtherBlocks) {
  const std::vector<BlockFeatures> blocks = random_blocks(19);
  const std::vector<double> together = main_text_probabilities(blocks);
  ASSERT_EQ(together.size(), blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(main_text_probabilities(std::span(blocks).subspan(i, 1)).front(), together[i]);
    EXPECT_GT(together[i], 0);
    EXPECT_LT(together[i], 1);
  }
  EXPECT_TRUE(main_text_probabilities({}).empty());
}

}  // namespace
}  // namespace gossamer::content
