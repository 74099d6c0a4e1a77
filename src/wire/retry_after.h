// Retry-After (RFC 9110 section 10.2.3) and Content-Range (section 14.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"

namespace gossamer::wire {

// How long the server asks us to stay away: seconds, or until a date. A date that has passed is
// zero; nothing if it makes no sense. Not capped: who waits decides how long is too long.
// BOUND: at most 100 years.
std::optional<Duration> parse_retry_after(std::string_view value, WallTime now);

// "bytes 0-499/1234", "bytes 0-499/*", "bytes */1234".
struct ContentRange {
  // Both included; nothing in an answer 416.
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> last;
  std::optional<std::uint64_t> whole_bytes;

  friend bool operator==(const ContentRange&, const ContentRange&) = default;
};

std::optional<ContentRange> parse_content_range(std::string_view value);

}  // namespace gossamer::wire
