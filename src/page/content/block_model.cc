#include "content/block_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

// Some blocks are tried at the same time.
constexpr std::size_t kLanes = 8;
using Floats [[gnu::vector_size(kLanes * sizeof(float))]] = float;

// The features of some blocks, side by side.
class Columns {
 public:
  // REQUIRES: at most kLanes blocks.
  void fill(std::span<const BlockFeatures> blocks) {
    for (std::size_t lane = 0; lane < blocks.size(); ++lane) {
      for (std::size_t i = 0; i < kBlockFeatures; ++i) columns_[i][lane] = blocks[lane][i];
    }
  }
  const Floats& operator[](std::size_t feature) const noexcept { return columns_[feature]; }

 private:
  std::array<Floats, kBlockFeatures> columns_ = {};
};

// Takes both ways at every split, and then chooses from the leaves to the root: no branch is taken,
// so nothing is guessed wrong.
template <std::size_t kAt>
[[gnu::always_inline]] inline void choose_leaf(const Tree& tree, const Columns& columns,
                                               Floats& chosen) {
  constexpr std::size_t kNext = 2 * kAt + 1;
  constexpr bool kIsLast = kNext >= Tree::kSplits;
  const auto is_less = columns[tree.features[kAt]] < tree.thresholds[kAt];
  Floats yes;
  Floats no;
  if constexpr (kIsLast) {
    yes = Floats{} + tree.leaves[kNext - Tree::kSplits];
    no = Floats{} + tree.leaves[kNext + 1 - Tree::kSplits];
  } else {
    choose_leaf<kNext>(tree, columns, yes);
    choose_leaf<kNext + 1>(tree, columns, no);
  }
  chosen = is_less ? yes : no;
}

[[gnu::always_inline]] inline void add_leaves_of_all(const Columns& columns, Floats& sums) {
  Floats sum = Floats{} + kModel.base;
  for (const Tree& tree : kModel.trees) {
    Floats leaf;
    choose_leaf<0>(tree, columns, leaf);
    sum += leaf;
  }
  sums = sum;
}

void add_leaves(const Columns& columns, Floats& sums) { add_leaves_of_all(columns, sums); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] void add_leaves_with_avx2(const Columns& columns, Floats& sums) {
  add_leaves_of_all(columns, sums);
}
#else
void add_leaves_with_avx2(const Columns& columns, Floats& sums) {
  add_leaves_of_all(columns, sums);
}
#endif

}  // namespace

std::vector<double> main_text_probabilities(std::span<const BlockFeatures> blocks) {
  std::vector<double> probabilities;
  probabilities.reserve(blocks.size());
  Columns columns;
  while (!blocks.empty()) {
    const auto some = blocks.first(std::min(blocks.size(), kLanes));
    blocks = blocks.subspan(some.size());
    columns.fill(some);
    Floats sums;
    base::has_avx2() ? add_leaves_with_avx2(columns, sums) : add_leaves(columns, sums);
    for (std::size_t i = 0; i < some.size(); ++i) {
      probabilities.push_back(1 / (1 + std::exp(-static_cast<double>(sums[i]))));
    }
  }
  return probabilities;
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
