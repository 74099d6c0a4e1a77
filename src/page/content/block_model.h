// How likely a block of text belongs to the main text: trees of decisions that were learned from
// pages that people marked (docs/extract.md#main-text).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "content/block_features.h"
#include "content/text_blocks.h"

namespace gossamer::content {

// Adds a probability for each of the first `count` blocks of a group.
void add_probabilities(const BlockGroup& group, std::size_t count,
                       std::vector<double>& probabilities);

// Returns which blocks to keep: those with the best F1 over words that can be expected. F1 is
// expected to be largest if all blocks above some probability are kept.
std::vector<bool> best_blocks(std::span<const TextBlock> blocks,
                              std::span<const double> probabilities);

}  // namespace gossamer::content
