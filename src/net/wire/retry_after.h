// Retry-After: RFC 9110 section 10.2.3.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace gossamer::wire {

// Returns how long the server wants us to wait: seconds, or until a date. A past date is zero; an
// invalid value is nothing. The caller decides how long is too long.
// BOUND: at most 100 years.
std::optional<Duration> parse_retry_after(std::string_view value, WallTime now);

}  // namespace gossamer::wire
