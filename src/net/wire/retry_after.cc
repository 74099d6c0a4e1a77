#include "wire/retry_after.h"

#include <algorithm>

#include "base/number.h"
#include "wire/http_date.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

constexpr std::int64_t kSecondsMax = std::int64_t{100} * 365 * 86'400;

}  // namespace

std::optional<Duration> parse_retry_after(std::string_view value, WallTime now) {
  value = trim_blanks(value);
  if (!value.empty() && std::ranges::all_of(value, is_digit)) {
    std::uint64_t seconds = 0;
    if (!base::parse_number(value, seconds)) seconds = kSecondsMax;  // it does not fit
    return std::chrono::seconds(std::min<std::uint64_t>(seconds, kSecondsMax));
  }
  const auto date = parse_http_date(value, now);
  if (!date) return std::nullopt;
  const std::int64_t seconds = date->seconds - now.seconds;
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kSecondsMax));
}

}  // namespace gossamer::wire
