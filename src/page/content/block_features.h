// What a model of main texts knows about each block of a page, as numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "content/outline.h"
#include "content/page_notes.h"
#include "content/text_blocks.h"

namespace gossamer::content {

inline constexpr std::size_t kBlockFeatures = 100;

// The features of some blocks side by side, which are written and tried together.
struct alignas(64) BlockGroup {
  static constexpr std::size_t kBlocks = 16;

  std::array<std::array<float, kBlocks>, kBlockFeatures> columns = {};
};

// What the search for an article says about each element of the outline: 1 is yes.
struct ArticleNotes {
  std::vector<std::uint8_t> in_article;   // part of the article that was found
  std::vector<std::uint8_t> is_ordinary;  // not left out for its name, role or tag
};

// Calls `use(group, count)` for all blocks in groups. The last one has fewer blocks, and repeats
// one of them. `outline` keeps everything. Time is O(n log n).
void block_features(const Outline& outline, std::span<const TextBlock> blocks,
                    const ArticleNotes& article, const PageNotes& page,
                    std::move_only_function<void(const BlockGroup&, std::size_t)> use);

}  // namespace gossamer::content
