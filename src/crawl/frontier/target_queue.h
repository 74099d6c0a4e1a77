#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "frontier/target.h"

namespace gossamer::crawler {

// The order of the targets of a host.
enum class CrawlOrder : std::uint8_t {
  breadth_first,  // lowest depth first, then oldest first
  depth_first,    // newest first
  score,          // highest score first, then oldest first
};

// Targets of a lower rank come first.
std::uint32_t rank_of(const Target& target, CrawlOrder order) noexcept;

// The queued targets of one origin, packed: a target costs its path and about twenty bytes.
//
//   [size][depth, redirects, tries, flags, score][referrer][ticket, if any][path ...][size]
//
// Targets are stored one after the other in blocks that grow with the queue and are freed as it
// drains. The size is at both ends, so that a block can be read from either end.
class TargetQueue {
 public:
  TargetQueue() = default;
  TargetQueue(TargetQueue&&) noexcept = default;
  TargetQueue& operator=(TargetQueue&&) = delete;
  ~TargetQueue();

  // REQUIRES, for all: the same order and the same `origin` each time; `origin` is the prefix of
  // the target's URL.
  void push(Target target, std::string_view origin, CrawlOrder order);
  // REQUIRES: not empty.
  Target pop(std::string_view origin, CrawlOrder order);
  // Removes the oldest target of the highest rank, whatever the order. REQUIRES: not empty.
  Target pop_other(std::string_view origin);
  // Removes the target of the same rank as pop() does that pop() would remove last.
  // REQUIRES: not empty.
  Target pop_opposite(std::string_view origin, CrawlOrder order);
  // The depth of the target that pop() would return. REQUIRES: not empty, breadth first.
  std::uint16_t next_depth() const;

  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  // The heap memory without referrers.
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
    std::size_t head = 0;  // earlier blocks are consumed
    std::vector<Block> blocks;
  };

  Band& band_of(std::uint32_t rank);
  Block& room_in(Band& band, std::size_t bytes);
  static Target read(const char* at, std::string_view origin);
  Target pop_first(Band& band, std::string_view origin);
  Target pop_last(Band& band, std::string_view origin);
  Target pop_next(std::string_view origin, bool is_newest);

  std::vector<Band> bands_;  // sorted; the first one to serve is last
  std::size_t size_ = 0;
};

}  // namespace gossamer::crawler
