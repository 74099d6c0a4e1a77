#include "content/block_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/processor.h"

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

// As the model, but with the places of the columns instead of the numbers of the features.
struct PlacedTree {
  std::array<std::uint16_t, Tree::kSplits> places;
  std::array<float, Tree::kSplits> thresholds;
  std::array<float, Tree::kSplits + 1> leaves;
};
constexpr auto kPlacedTrees = [] {
  std::array<PlacedTree, kModel.trees.size()> placed = {};
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const Tree& tree = kModel.trees[i];
    for (std::size_t split = 0; split < Tree::kSplits; ++split) {
      placed[i].places[split] =
          static_cast<std::uint16_t>(tree.features[split] * BlockGroup::kBlocks);
    }
    placed[i].thresholds = tree.thresholds;
    placed[i].leaves = tree.leaves;
  }
  return placed;
}();

using Floats [[gnu::vector_size(BlockGroup::kBlocks * sizeof(float))]] = float;

// Takes both ways at every split, and then chooses from the leaves to the root: no branch is taken,
// so nothing is guessed wrong.
template <std::size_t kAt>
[[gnu::always_inline]] inline void choose_leaf(const PlacedTree& tree, const float* columns,
                                               Floats& chosen) {
  constexpr std::size_t kNext = 2 * kAt + 1;
  constexpr bool kIsLast = kNext >= Tree::kSplits;
  Floats yes;
  Floats no;
  if constexpr (kIsLast) {
    yes = Floats{} + tree.leaves[kNext - Tree::kSplits];
    no = Floats{} + tree.leaves[kNext + 1 - Tree::kSplits];
  } else {
    choose_leaf<kNext>(tree, columns, yes);
    choose_leaf<kNext + 1>(tree, columns, no);
  }
  Floats column;
  std::memcpy(&column, columns + tree.places[kAt], sizeof(column));
  chosen = Floats{} + tree.thresholds[kAt] > column ? yes : no;
}

[[gnu::always_inline]] inline void add_leaves_of_all(const BlockGroup& group, Floats& sums) {
  Floats sum = Floats{} + kModel.base;
  const float* const columns = group.columns.front().data();
  for (const PlacedTree& tree : kPlacedTrees) {
    Floats leaf;
    choose_leaf<0>(tree, columns, leaf);
    sum += leaf;
  }
  sums = sum;
}

void add_leaves(const BlockGroup& group, Floats& sums) { add_leaves_of_all(group, sums); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_leaves_with_avx2(const BlockGroup& group, Floats& sums) {
  add_leaves_of_all(group, sums);
}
#else
void add_leaves_with_avx2(const BlockGroup& group, Floats& sums) { add_leaves_of_all(group, sums); }
#endif

}  // namespace

void add_probabilities(const BlockGroup& group, std::size_t count,
                       std::vector<double>& probabilities) {
  Floats sums;
  base::has_avx2() ? add_leaves_with_avx2(group, sums) : add_leaves(group, sums);
  for (std::size_t i = 0; i < count; ++i) {
    probabilities.push_back(1 / (1 + std::exp(-static_cast<double>(sums[i]))));
  }
}

std::vector<bool> best_blocks(std::span<const TextBlock> blocks,
                              std::span<const double> probabilities) {
  std::vector<std::pair<double, std::size_t>> order;  // the most likely first
  order.reserve(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) order.emplace_back(-probabilities[i], i);
  std::ranges::sort(order);
  double expected = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) expected += probabilities[i] * blocks[i].words;
  double hits = 0;
  double words = 0;
  double best = 0;
  std::size_t best_count = 0;
  for (std::size_t count = 0; count < order.size(); ++count) {
    const TextBlock& block = blocks[order[count].second];
    hits += -order[count].first * block.words;
    words += block.words;
    const double f1 = 2 * hits / (words + expected);
    if (f1 <= best) continue;
    best = f1;
    best_count = count + 1;
  }
  std::vector<bool> kept(blocks.size());
  for (std::size_t i = 0; i < best_count; ++i) kept[order[i].second] = true;
  return kept;
}

}  // namespace gossamer::content
