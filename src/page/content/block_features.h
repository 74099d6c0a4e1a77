// What a model of main texts knows about each block of a page, as numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "content/outline.h"
#include "content/page_notes.h"
#include "content/text_blocks.h"

namespace gossamer::content {

inline constexpr std::size_t kBlockFeatures = 100;
using BlockFeatures = std::array<float, kBlockFeatures>;

// What the search for an article says about each element of the outline.
struct ArticleNotes {
  std::vector<bool> in_article;   // part of the article that was found
  std::vector<bool> is_ordinary;  // not left out for its name, role or tag
};

// Returns one row per block. `outline` keeps everything. Time is O(n log n).
std::vector<BlockFeatures> block_features(const Outline& outline, std::span<const TextBlock> blocks,
                                          const ArticleNotes& article, const PageNotes& page);

}  // namespace gossamer::content
