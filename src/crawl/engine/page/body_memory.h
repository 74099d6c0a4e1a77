// The memory that bodies take together while they are read and handed over.
#pragma once

#include <cstddef>
#include <cstdint>

#include "async/queued_wait.h"
#include "base/result.h"

namespace gossamer::crawler {

// Belongs to one loop. Bodies that need more than there is wait, in order; their servers are slowed
// down meanwhile. There is no deadlock: one body at a time, the first that had to wait, gets all it
// needs.
//
// BOUND: all bodies together have `bytes_max`, and that one body what it needs.
class BodyMemory {
 public:
  class Share;
  class Hold;

  // A received piece enlarges the buffers of a body by about this much.
  static constexpr std::size_t kPieceBytes = 16 * 1024;

  explicit BodyMemory(std::uint64_t bytes_max) noexcept : bytes_max_(bytes_max) {}
  BodyMemory(const BodyMemory&) = delete;
  BodyMemory& operator=(const BodyMemory&) = delete;
  // REQUIRES: there is no share of it.
  ~BodyMemory();

  std::uint64_t held() const noexcept { return held_; }

 private:
  bool has_room(std::uint64_t more) const noexcept { return more <= bytes_max_ - room_used(); }
  std::uint64_t room_used() const noexcept { return held_ < bytes_max_ ? held_ : bytes_max_; }
  // Lets waiting bodies continue.
  void serve() noexcept;

  const std::uint64_t bytes_max_;
  std::uint64_t held_ = 0;
  Share* favoured_ = nullptr;  // the one that need not wait
  async::WaitList waiters_;
};

// What one body holds; the destructor gives it back.
class BodyMemory::Share {
 public:
  // BORROWS: the memory.
  explicit Share(BodyMemory& memory) noexcept : memory_(memory) {}
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  ~Share();

  // Holds this many bytes, more or less than before. Returns false, and changes nothing, if it
  // would have to wait.
  bool try_hold(std::uint64_t bytes) noexcept;
  // co_await share.hold(bytes) gives a Result<void>. It waits until there is room; fails only with
  // Errc::cancelled.
  Hold hold(std::uint64_t bytes) noexcept;

  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  friend class BodyMemory;
  friend class Hold;
  void set(std::uint64_t bytes) noexcept;

  BodyMemory& memory_;
  std::uint64_t bytes_ = 0;
};

class [[nodiscard]] BodyMemory::Hold final : public async::QueuedWait {
 public:
  Hold(Share& share, std::uint64_t bytes) noexcept
      : QueuedWait(share.memory_.waiters_), share_(share), bytes_(bytes) {}
  bool await_ready() noexcept;
  Result<void> await_resume() noexcept;

 private:
  friend class BodyMemory;
  // Takes the bytes if there is room, or if it may take all it needs.
  bool try_take() noexcept;

  Share& share_;
  const std::uint64_t bytes_;
};

inline BodyMemory::Hold BodyMemory::Share::hold(std::uint64_t bytes) noexcept {
  return {*this, bytes};
}

}  // namespace gossamer::crawler
