#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "crawl/frontier/target.h"

namespace gossamer::crawler {

// Which of the targets of a host comes next.
enum class CrawlOrder : std::uint8_t {
  breadth_first,  // the least deep, and of these the one found first
  depth_first,    // the one found last
  score,          // the one with the highest score, and of these the one found first
};

// Targets of a lower rank come first.
std::uint32_t rank_of(const Target& target, CrawlOrder order) noexcept;

// The waiting targets of one origin, packed: a target costs its path and some twenty bytes.
//
//   [size][depth, redirects, tries, flags, score][referrer][ticket, if any][path ...][size]
//
// Targets stand one after the other in blocks that grow with the queue and are given back as it
// drains. The size stands at both ends, so that a block can be read from either.
class TargetQueue {
 public:
  TargetQueue() = default;
  TargetQueue(TargetQueue&&) noexcept = default;
  TargetQueue& operator=(TargetQueue&&) = delete;
  ~TargetQueue();

  // REQUIRES, for all of them: the same order each time; `origin` is what the target's URL begins
  // with, the same each time.
  void push(Target target, std::string_view origin, CrawlOrder order);
  // REQUIRES: not empty.
  Target pop(std::string_view origin, CrawlOrder order);
  // The oldest of the highest rank, whatever the order. REQUIRES: not empty.
  Target pop_other(std::string_view origin);
  // Of the target that pop() would give. REQUIRES: not empty, breadth first.
  std::uint16_t next_depth() const;

  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  // What it holds of the heap, referrers not counted.
  std::size_t memory_bytes() const noexcept;

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::uint32_t capacity = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  // Targets of one rank; those of a lower rank come first.
  struct Band {
    std::uint32_t rank = 0;
    std::size_t head = 0;  // blocks before it are used up
    std::vector<Block> blocks;
  };

  Band& band_of(std::uint32_t rank);
  Block& room_in(Band& band, std::size_t bytes);
  static Target read(const char* at, std::string_view origin);
  Target pop_first(Band& band, std::string_view origin);
  Target pop_last(Band& band, std::string_view origin);

  std::vector<Band> bands_;  // the one that comes first at the end
  std::size_t size_ = 0;
};

}  // namespace gossamer::crawler
