#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

struct io_uring;
struct io_uring_buf_ring;
struct io_uring_sqe;

namespace gossamer::async {

class ReceiveOperation;

// One io_uring instance with its table of direct descriptors and its ring of receive buffers.
//
// Direct descriptors are in a table of the ring, not of the process, and do not count against
// RLIMIT_NOFILE; but each table holds at most that many. A driver that needs more uses several
// rings.
class UringRing {
 public:
  struct Options {
    std::uint32_t descriptors = 0;  // size of the table
    std::uint32_t buffers = 0;      // a power of two
  };
  static constexpr std::size_t kBufferBytes = 64 * 1024;

  // Fails with Errc::unsupported if the kernel lacks or forbids a feature that we need.
  static Result<std::unique_ptr<UringRing>> make(const Options& options);
  ~UringRing();
  UringRing(const UringRing&) = delete;
  UringRing& operator=(const UringRing&) = delete;

  // Returns a free entry; submits the queue if there is none.
  io_uring_sqe& next_entry();
  io_uring& raw() { return *ring_; }

  std::uint32_t slots() const { return slots_; }
  // Returns a free slot of the table; -1 if it is full.
  std::int32_t take_slot();
  void release_slot(std::int32_t slot) { free_slots_.push_back(static_cast<std::uint16_t>(slot)); }

  // Gives the kernel more of the buffers, at most once per turn of the loop. Buffers are used in
  // order, so as long as few are enough they stay in the cache; only a burst that finds none adds
  // more. Returns false if the kernel has all.
  bool offer_more_buffers(std::uint64_t turn) noexcept;
  const std::byte* buffer(std::uint32_t id) const { return memory_.get() + id * kBufferBytes; }
  void give_back(std::uint32_t id) noexcept;

  // Returns whether completions or deferred work are pending.
  bool has_work() const;
  bool has_unsubmitted() const;

  // Receives that found no free buffer.
  std::deque<ReceiveOperation*> starving;

 private:
  UringRing() = default;
  Result<void> set_up_descriptors(std::uint32_t count);
  Result<void> set_up_buffers(std::uint32_t count);

  std::unique_ptr<io_uring> ring_;
  bool initialised_ = false;
  std::vector<std::uint16_t> free_slots_;
  std::uint32_t slots_used_ = 0;
  std::uint32_t slots_ = 0;
  std::uint32_t buffers_ = 0;
  std::uint32_t buffers_offered_ = 0;
  std::uint64_t last_offer_ = 0;  // the turn of the last offer
  io_uring_buf_ring* buffer_ring_ = nullptr;
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace gossamer::async
