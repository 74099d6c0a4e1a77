#include "boosted_trees.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gossamer::conformance {
namespace {

using content::kBlockFeatures;

// Values of a feature are compared as one of these steps.
constexpr std::size_t kBins = 64;
// A value that no row is below: all rows go to the right.
constexpr float kNever = -1000;

struct Sums {
  double gradient = 0;
  double curvature = 0;

  void add(const Sums& other) {
    gradient += other.gradient;
    curvature += other.curvature;
  }
};
using Histogram = std::array<std::array<Sums, kBins>, kBlockFeatures>;

// The upper ends of the steps of each feature; the last step has none.
using Edges = std::array<std::vector<float>, kBlockFeatures>;

Edges edges_of(std::span<const Example> examples) {
  Edges edges;
  for (std::size_t feature = 0; feature < kBlockFeatures; ++feature) {
    std::vector<float> values;
    for (std::size_t i = 0; i < examples.size(); i += 7) {
      values.push_back(examples[i].features[feature]);
    }
    std::ranges::sort(values);
    for (std::size_t bin = 1; bin < kBins; ++bin) {
      const float edge = values[bin * values.size() / kBins];
      const float last = edges[feature].empty() ? values.front() : edges[feature].back();
      if (edge > last) edges[feature].push_back(edge);
    }
  }
  return edges;
}

class Booster {
 public:
  Booster(std::span<const Example> examples, const BoostingSettings& settings)
      : examples_(examples), settings_(settings), edges_(edges_of(examples)) {
    bins_.resize(examples.size());
    sums_.resize(examples.size());
    nodes_.resize(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (std::size_t feature = 0; feature < kBlockFeatures; ++feature) {
        const auto& edges = edges_[feature];
        const auto above = std::ranges::upper_bound(edges, examples[i].features[feature]);
        bins_[i][feature] = static_cast<std::uint8_t>(above - edges.begin());
      }
    }
  }

  BoostedTrees run() {
    BoostedTrees model;
    double weight = 0;
    double positive = 0;
    for (const Example& one : examples_) {
      weight += one.weight;
      positive += one.weight * one.target;
    }
    model.base = std::log(positive / (weight - positive));
    scores_.assign(examples_.size(), model.base);
    while (model.trees.size() < settings_.trees) model.trees.push_back(grow());
    return model;
  }

 private:
  TrainedTree grow() {
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      const double chance = 1 / (1 + std::exp(-scores_[i]));
      sums_[i] = {.gradient = examples_[i].weight * (examples_[i].target - chance),
                  .curvature = examples_[i].weight * chance * (1 - chance)};
      nodes_[i] = 0;
    }
    TrainedTree tree;
    std::size_t first = 0;
    for (std::size_t level = 0; level < TrainedTree::kLevels; ++level) {
      split_level(tree, first, std::size_t{1} << level);
      first = 2 * first + 1;
    }
    fill_leaves(tree);
    return tree;
  }

  // Splits the nodes of a level, whose numbers begin with `first`.
  void split_level(TrainedTree& tree, std::size_t first, std::size_t count) {
    std::vector<Histogram> histograms(count);
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      Histogram& histogram = histograms[nodes_[i] - first];
      for (std::size_t feature = 0; feature < kBlockFeatures; ++feature) {
        histogram[feature][bins_[i][feature]].add(sums_[i]);
      }
    }
    std::vector<std::uint8_t> bins(count);
    for (std::size_t k = 0; k < count; ++k) bins[k] = split(tree, first + k, histograms[k]);
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      const std::size_t node = nodes_[i];
      const bool is_left = bins_[i][tree.features[node]] < bins[node - first];
      nodes_[i] = static_cast<std::uint8_t>(2 * node + (is_left ? 1 : 2));
    }
  }

  double gain_of(const Sums& sums) const {
    return sums.gradient * sums.gradient / (sums.curvature + settings_.shrinkage);
  }

  // Returns the first step of the right side.
  std::uint8_t split(TrainedTree& tree, std::size_t node, const Histogram& histogram) const {
    Sums all;
    for (const Sums& one : histogram[0]) all.add(one);
    double best = 1e-9;
    std::uint8_t best_bin = 0;
    tree.thresholds[node] = kNever;
    for (std::size_t feature = 0; feature < kBlockFeatures; ++feature) {
      Sums left;
      for (std::size_t bin = 1; bin <= edges_[feature].size(); ++bin) {
        left.add(histogram[feature][bin - 1]);
        const Sums right = {all.gradient - left.gradient, all.curvature - left.curvature};
        const double least = settings_.leaf_weight_min / 4;
        if (left.curvature < least || right.curvature < least) continue;
        const double gain = gain_of(left) + gain_of(right) - gain_of(all);
        if (gain <= best) continue;
        best = gain;
        best_bin = static_cast<std::uint8_t>(bin);
        tree.features[node] = static_cast<std::uint8_t>(feature);
        tree.thresholds[node] = edges_[feature][bin - 1];
      }
    }
    return best_bin;
  }

  void fill_leaves(TrainedTree& tree) {
    std::array<Sums, TrainedTree::kSplits + 1> sums;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      sums[nodes_[i] - TrainedTree::kSplits].add(sums_[i]);
    }
    for (std::size_t leaf = 0; leaf < sums.size(); ++leaf) {
      tree.leaves[leaf] =
          settings_.rate * sums[leaf].gradient / (sums[leaf].curvature + settings_.shrinkage);
    }
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      scores_[i] += tree.leaves[nodes_[i] - TrainedTree::kSplits];
    }
  }

  const std::span<const Example> examples_;
  const BoostingSettings settings_;
  const Edges edges_;
  std::vector<std::array<std::uint8_t, kBlockFeatures>> bins_;
  std::vector<Sums> sums_;
  std::vector<std::uint8_t> nodes_;
  std::vector<double> scores_;
};

}  // namespace

std::size_t TrainedTree::leaf_of(const BlockFeatures& row) const noexcept {
  std::size_t at = 0;
  while (at < kSplits) at = 2 * at + (row[features[at]] < thresholds[at] ? 1 : 2);
  return at - kSplits;
}

double BoostedTrees::probability(const BlockFeatures& row) const noexcept {
  double sum = base;
  for (const TrainedTree& tree : trees) sum += tree.leaves[tree.leaf_of(row)];
  return 1 / (1 + std::exp(-sum));
}

BoostedTrees train(std::span<const Example> examples, const BoostingSettings& settings) {
  return Booster(examples, settings).run();
}

}  // namespace gossamer::conformance
