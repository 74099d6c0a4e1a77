#pragma once

#include "base/time.h"

namespace gossamer::run {

// The time of day, by this machine's clock.
WallTime wall_now() noexcept;

}  // namespace gossamer::run
