#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "http/deadlines.h"

namespace gossamer::http {

// Measures the rate of a response. Only the time that we waited counts: a slow reader is not the
// server's fault.
class RateMeter {
 public:
  // Fails with Errc::timed_out if the rate is below the minimum.
  Result<void> add(Duration waited, std::uint64_t bytes, const Deadlines& limits);

 private:
  // Since the rate was last checked.
  Duration waited_ = Duration::zero();
  std::uint64_t bytes_ = 0;
};

// Explains the failure of a step. `limit` is the duration of the deadline that passed, if one did;
// `deadline` is that of the whole exchange.
Error explain_failure(Error error, std::string_view step, Duration limit, Instant deadline,
                      const Deadlines& limits);

}  // namespace gossamer::http
