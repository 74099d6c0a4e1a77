// Gradient boosting of small complete trees, as in content/block_model.cc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "content/block_features.h"

namespace gossamer::conformance {

using BlockFeatures = std::array<float, content::kBlockFeatures>;

// One block of a page: what it is like, and how much of it is main text.
struct Example {
  BlockFeatures features;
  double target = 0;  // 0 to 1
  double weight = 0;
};

struct TrainedTree {
  static constexpr std::size_t kLevels = 4;
  static constexpr std::size_t kSplits = (1 << kLevels) - 1;

  std::uint8_t features[kSplits] = {};
  float thresholds[kSplits] = {};
  double leaves[kSplits + 1] = {};

  // Returns the leaf of a row.
  std::size_t leaf_of(const BlockFeatures& row) const noexcept;
};

struct BoostedTrees {
  double base = 0;
  std::vector<TrainedTree> trees;

  double probability(const BlockFeatures& row) const noexcept;
};

struct BoostingSettings {
  std::size_t trees = 80;
  double rate = 0.12;
  double leaf_weight_min = 4;  // of a side of a split
  double shrinkage = 2;        // of leaves with little weight
};

// The same examples give the same trees.
BoostedTrees train(std::span<const Example> examples, const BoostingSettings& settings);

}  // namespace gossamer::conformance
