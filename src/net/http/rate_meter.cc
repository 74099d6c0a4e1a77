#include "http/rate_meter.h"

#include <chrono>
#include <string>
#include <utility>

#include "async/loop.h"

namespace gossamer::http {

Result<void> RateMeter::add(Duration waited, std::uint64_t bytes, const Deadlines& limits) {
  waited_ += waited;
  bytes_ += bytes;
  if (limits.bytes_per_second_min == 0) return {};
  if (waited_ < limits.rate_window) return {};
  const double seconds = std::chrono::duration<double>(waited_).count();
  const auto needed = static_cast<double>(limits.bytes_per_second_min) * seconds;
  if (static_cast<double>(bytes_) < needed) {
    return fail(Errc::timed_out, "slower than " + std::to_string(limits.bytes_per_second_min) +
                                     " bytes per second for " + base::to_string(waited_));
  }
  waited_ = Duration::zero();
  bytes_ = 0;
  return {};
}

Error explain_failure(Error error, std::string_view step, Duration limit, Instant deadline,
                      const Deadlines& limits) {
  if (error == Errc::timed_out && error.detail().empty()) {
    const bool is_whole = async::Loop::current().now() >= deadline;
    const std::string what = is_whole ? "not complete after " + base::to_string(limits.whole) +
                                            ", the limit for the whole request"
                                      : "nothing received for " + base::to_string(limit);
    return Error(Errc::timed_out, std::string(step) + ": " + what);
  }
  return std::move(error).with_context("while " + std::string(step));
}

}  // namespace gossamer::http
