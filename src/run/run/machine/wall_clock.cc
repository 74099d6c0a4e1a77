#include "run/machine/wall_clock.h"

#include <ctime>

namespace gossamer::run {

WallTime wall_now() noexcept {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return {.seconds = now.tv_sec, .nanoseconds = static_cast<std::uint32_t>(now.tv_nsec)};
}

}  // namespace gossamer::run
