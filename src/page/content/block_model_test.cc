#include "content/block_model.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace gossamer::content {
namespace {

BlockGroup random_group() {
  base::Random random(1);
  BlockGroup group;
  for (auto& column : group.columns) {
    for (float& value : column) value = static_cast<float>(random.below(200)) / 10 - 2;
  }
  return group;
}

// Some blocks are tried at the same time, and the last group may have few.
TEST(Probabilities, DoNotDependOnOtherBlocks) {
  const BlockGroup group = random_group();
  std::vector<double> together;
  add_probabilities(group, BlockGroup::kBlocks, together);
  ASSERT_EQ(together.size(), BlockGroup::kBlocks);
  for (std::size_t i = 0; i < together.size(); ++i) {
    BlockGroup alone;
    for (std::size_t feature = 0; feature < kBlockFeatures; ++feature) {
      alone.columns[feature][0] = group.columns[feature][i];
    }
    std::vector<double> probabilities;
    add_probabilities(alone, 1, probabilities);
    EXPECT_EQ(probabilities, std::vector<double>{together[i]});
    EXPECT_GT(together[i], 0);
    EXPECT_LT(together[i], 1);
  }
}

}  // namespace
}  // namespace gossamer::content
