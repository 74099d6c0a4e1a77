#include "tests/simulated/in_flight.h"

#include <algorithm>

namespace gossamer::sim {

void InFlight::finish(async::Operation& operation, std::int64_t result) noexcept {
  --count_;
  std::erase_if(cancellations_,
                [&](const Cancellation& each) { return each.operation == &operation; });
  operation.finish(result);
}

std::uint64_t InFlight::cancel_later(async::Operation& operation) {
  cancellations_.push_back({&operation, next_number_});
  return next_number_++;
}

async::Operation* InFlight::land(std::uint64_t number) {
  const auto found = std::find_if(cancellations_.begin(), cancellations_.end(),
                                  [&](const Cancellation& each) { return each.number == number; });
  return found == cancellations_.end() ? nullptr : found->operation;
}

}  // namespace gossamer::sim
