#include "content/block_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace gossamer::content {
namespace {

// A complete tree. Below split `i` are the splits `2i + 1` (the feature is less than the threshold)
// and `2i + 2`; the leaves follow the last level.
struct Tree {
  static constexpr std::size_t kLevels = 4;
  static constexpr std::size_t kSplits = (1 << kLevels) - 1;

  std::array<std::uint8_t, kSplits> features;
  std::array<float, kSplits> thresholds;
  std::array<float, kSplits + 1> leaves;
};

struct Model {
  float base;
  std::array<Tree, 80> trees;
};

constexpr Model kModel =
#include "content/block_model.inc"
    ;

}  // namespace

double main_text_probability(const BlockFeatures& features) {
  float sum = kModel.base;
  for (const Tree& tree : kModel.trees) {
    std::size_t at = 0;
    while (at < Tree::kSplits) {
      at = 2 * at + (features[tree.features[at]] < tree.thresholds[at] ? 1 : 2);
    }
    sum += tree.leaves[at - Tree::kSplits];
  }
  return 1 / (1 + std::exp(-static_cast<double>(sum)));
}

std::vector<bool> best_blocks(std::span<const TextBlock> blocks,
                              std::span<const double> probabilities) {
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(-probabilities[a], a) < std::pair(-probabilities[b], b);
  });
  double expected = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) expected += probabilities[i] * blocks[i].words;
  double hits = 0;
  double words = 0;
  double best = 0;
  std::size_t best_count = 0;
  for (std::size_t count = 0; count < order.size(); ++count) {
    const TextBlock& block = blocks[order[count]];
    hits += probabilities[order[count]] * block.words;
    words += block.words;
    const double f1 = 2 * hits / (words + expected);
    if (f1 <= best) continue;
    best = f1;
    best_count = count + 1;
  }
  std::vector<bool> kept(blocks.size());
  for (std::size_t i = 0; i < best_count; ++i) kept[order[i]] = true;
  return kept;
}

}  // namespace gossamer::content
