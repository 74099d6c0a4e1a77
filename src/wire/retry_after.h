// Retry-After (RFC 9110 section 10.2.3) and Content-Range (section 14.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"

namespace gossamer::wire {

// Returns how long the server wants us to wait: seconds, or until a date. A past date is zero; an
// invalid value is nothing. The caller decides how long is too long.
// BOUND: at most 100 years.
std::optional<Duration> parse_retry_after(std::string_view value, WallTime now);

// "bytes 0-499/1234", "bytes 0-499/*", "bytes */1234".
struct ContentRange {
  // Both are inclusive; nothing in a 416 response.
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> last;
  std::optional<std::uint64_t> whole_bytes;

  friend bool operator==(const ContentRange&, const ContentRange&) = default;
};

std::optional<ContentRange> parse_content_range(std::string_view value);

}  // namespace gossamer::wire
