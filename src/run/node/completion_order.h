#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "cluster/shared_frontier.h"

namespace gossamer::node {

// The URLs of a leased host, in the order of its queue, and which of them have ended. They end in
// any order, but Redis learns only of a position before which all have ended.
class CompletionOrder {
 public:
  // The lease begins there.
  explicit CompletionOrder(cluster::Position from) : batches_ended_(from.batches) {}

  // Another batch was read. The first `ended` of its live URLs have ended before this lease.
  // Returns the number of its first live URL; numbers continue with each URL.
  std::uint64_t add_batch(std::uint32_t live, std::uint32_t ended = 0);
  // A further fetch belongs to this URL, which ends after both. REQUIRES: is_open().
  void hold(std::uint64_t number);
  // Ends one fetch of the URL. No-op if it has ended.
  void end(std::uint64_t number);
  bool is_open(std::uint64_t number) const;

  // Everything before it has ended.
  cluster::Position position() const { return {.batches = batches_ended_, .urls = urls_ended_}; }
  // The number of the URL at the position.
  std::uint64_t next() const { return first_ + urls_ended_; }
  // Behind everything that was read.
  cluster::Position last() const { return {.batches = batches_ended_ + sizes_.size(), .urls = 0}; }
  std::uint64_t end_number() const { return first_ + open_.size(); }
  std::size_t open() const { return open_count_; }

 private:
  void advance();

  std::uint64_t batches_ended_;
  std::uint32_t urls_ended_ = 0;     // of the first batch
  std::uint64_t first_ = 0;          // the number of the first URL of the first batch
  std::deque<std::uint32_t> sizes_;  // live URLs of the batches that have not ended
  std::deque<std::uint16_t> open_;   // fetches of their URLs that have not ended
  std::size_t open_count_ = 0;       // URLs that have not ended
};

}  // namespace gossamer::node
