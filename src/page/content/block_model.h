// How likely a block of text belongs to the main text: trees of decisions that were learned from
// pages that people marked (docs/extract.md#main-text).
#pragma once

#include <span>
#include <vector>

#include "content/block_features.h"
#include "content/text_blocks.h"

namespace gossamer::content {

// Returns a probability for each block.
std::vector<double> main_text_probabilities(std::span<const BlockFeatures> blocks);

// Returns which blocks to keep: those with the best F1 over words that can be expected. F1 is
// expected to be largest if all blocks above some probability are kept.
std::vector<bool> best_blocks(std::span<const TextBlock> blocks,
                              std::span<const double> probabilities);

}  // namespace gossamer::content
