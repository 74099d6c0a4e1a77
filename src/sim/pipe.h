#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/buffer.h"
#include "base/bytes.h"
#include "base/time.h"
#include "sim/ledger.h"

namespace gossamer::sim {

// One direction of a connection: what travels, what has arrived, and how much the sender may still
// put in. Keeps the order of the bytes; when they move is the connection's business.
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

  // The first `size` bytes under way reach the other end.
  void arrive(std::size_t size);
  // They do not; `place` is the account of the ledger that they go to.
  void lose(std::size_t size, std::uint64_t Ledger::* place);

  std::size_t travelling() const { return travelling_.size(); }
  std::size_t arrived() const { return arrived_.size(); }
  // The program gets the first bytes that have arrived. REQUIRES: so many have.
  void take(MutableBytes into);
  // The program will never ask for those that have arrived.
  void leave();

  // The sender learns that `size` bytes were taken.
  void acknowledge(std::size_t size);

  // The instant of an arrival that may not come before an earlier one.
  Instant arrival(Instant wanted) { return last_arrival_ = std::max(last_arrival_, wanted); }

  Ledger ledger() const;

 private:
  const std::size_t window_;
  std::size_t unacknowledged_ = 0;
  Buffer travelling_;
  Buffer arrived_;
  Instant last_arrival_ = Instant::min();
  Ledger ledger_;  // but for in_flight, which is counted when asked for
};

}  // namespace gossamer::sim
