#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/time.h"
#include "tests/simulated/buffer.h"
#include "tests/simulated/ledger.h"

namespace gossamer::sim {

// One direction of a connection: the bytes in transit, those that arrived, and how many more the
// sender may put in. It keeps their order; the connection decides when they move.
//
//   put() -> travelling -> arrive() -> arrived -> take()
//                       -> lose()             -> leave()
// BOUND: travelling and arrived bytes together are at most the window.
class Pipe {
 public:
  explicit Pipe(std::size_t window_bytes)
      : window_(window_bytes), travelling_(window_bytes), arrived_(window_bytes) {}

  // Bytes that the sender may still put in.
  std::size_t room() const { return window_ - unacknowledged_; }
  // REQUIRES: at most room() bytes.
  void put(Bytes bytes);

  // The first `size` bytes in transit reach the other end.
  void arrive(std::size_t size);
  // They do not; `place` is their counter in the ledger.
  void lose(std::size_t size, std::uint64_t Ledger::* place);

  std::size_t travelling() const { return travelling_.size(); }
  std::size_t arrived() const { return arrived_.size(); }
  // The program receives the first bytes that have arrived. REQUIRES: that many have.
  void take(MutableBytes into);
  // The program will never read those that have arrived.
  void leave();

  // The sender learns that `size` bytes were read.
  void acknowledge(std::size_t size);

  // Returns the instant of an arrival, not before any earlier one.
  Instant arrival(Instant wanted) { return last_arrival_ = std::max(last_arrival_, wanted); }

  Ledger ledger() const;

 private:
  const std::size_t window_;
  std::size_t unacknowledged_ = 0;
  Buffer travelling_;
  Buffer arrived_;
  Instant last_arrival_ = Instant::min();
  Ledger ledger_;  // except in_flight, which is computed on request
};

}  // namespace gossamer::sim
