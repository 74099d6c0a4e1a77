#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "async/operation.h"

namespace gossamer::sim {

// The operations that were started and have not ended. Cancelled ones may continue for a while.
// Each pending cancellation has a number, since its operation may end before it takes effect.
class InFlight {
 public:
  std::size_t size() const { return count_; }

  void begin() { ++count_; }
  // Call it if the operation ended inside start().
  void end_at_once() { --count_; }
  void finish(async::Operation& operation, std::int64_t result) noexcept;

  std::uint64_t cancel_later(async::Operation& operation);
  // Returns null if the operation ended first.
  async::Operation* land(std::uint64_t number);

 private:
  struct Cancellation {
    async::Operation* operation;
    std::uint64_t number;
  };

  std::size_t count_ = 0;
  std::uint64_t next_number_ = 0;
  std::vector<Cancellation> cancellations_;  // few
};

}  // namespace gossamer::sim
