#include "wire/retry_after.h"

#include <algorithm>
#include <charconv>

#include "wire/http_date.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

constexpr std::int64_t kSecondsMax = std::int64_t{100} * 365 * 86'400;

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Duration> parse_retry_after(std::string_view value, WallTime now) {
  value = trim_blanks(value);
  if (!value.empty() && std::ranges::all_of(value, is_digit)) {
    const auto seconds = parse_number(value).value_or(kSecondsMax);
    return std::chrono::seconds(std::min<std::uint64_t>(seconds, kSecondsMax));
  }
  const auto date = parse_http_date(value, now);
  if (!date) return std::nullopt;
  const std::int64_t seconds = date->seconds - now.seconds;
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kSecondsMax));
}

std::optional<ContentRange> parse_content_range(std::string_view value) {
  value = trim_blanks(value);
  constexpr std::string_view kUnit = "bytes ";
  if (!equals_ignoring_case(value.substr(0, kUnit.size()), kUnit)) return std::nullopt;
  value.remove_prefix(kUnit.size());
  const std::size_t slash = value.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view range = trim_blanks(value.substr(0, slash));
  const std::string_view whole = trim_blanks(value.substr(slash + 1));
  ContentRange result;
  if (whole != "*") {
    result.whole_bytes = parse_number(whole);
    if (!result.whole_bytes) return std::nullopt;
  }
  if (range == "*") return result.whole_bytes ? std::optional(result) : std::nullopt;
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  result.first = parse_number(range.substr(0, dash));
  result.last = parse_number(range.substr(dash + 1));
  if (!result.first || !result.last || *result.first > *result.last) return std::nullopt;
  if (result.whole_bytes && *result.last >= *result.whole_bytes) return std::nullopt;
  return result;
}

}  // namespace gossamer::wire
