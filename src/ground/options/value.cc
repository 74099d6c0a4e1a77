#include "options/value.h"

#include <algorithm>

#include "base/edit_distance.h"

namespace gossamer::options {

std::string duration_text(Duration duration) {
  constexpr std::array<std::pair<Duration, std::string_view>, 7> kUnits = {
      {{24h, "d"}, {1h, "h"}, {1min, "m"}, {1s, "s"}, {1ms, "ms"}, {1us, "us"}, {1ns, "ns"}}};
  if (duration == Duration::zero()) return "0";
  for (const auto& [unit, name] : kUnits) {
    if (duration % unit == Duration::zero()) return fmt::format("{}{}", duration / unit, name);
  }
  return {};
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "KMGT";
  std::size_t unit = 0;
  while (unit < kUnits.size() && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{}", bytes) : fmt::format("{}{}", bytes, kUnits[unit - 1]);
}

std::string take_duration(const std::string& text, Duration& into) {
  const auto parsed = base::parse_seconds(text);
  if (!parsed) return "expected a time such as 10s, 500ms or 2m, not '" + text + "'";
  into = *parsed;
  return {};
}

std::string take_time_limit(const std::string& text, Duration& into) {
  constexpr Duration kCentury = std::chrono::hours(24 * 36525);
  std::string problem = take_duration(text, into);
  if (problem.empty() && into == Duration::zero()) into = kCentury;
  return problem;
}

std::string take_size(const std::string& text, std::uint64_t& into) {
  const auto bytes = base::parse_size(text);
  if (!bytes) return "expected a size such as 500K, 10M or 2G, not '" + text + "'";
  into = *bytes;
  return {};
}

std::string canonical_text(Kind kind, const std::string& text) {
  Duration duration = {};
  std::uint64_t bytes = 0;
  if (kind == Kind::duration && take_duration(text, duration).empty()) {
    return duration_text(duration);
  }
  if (kind == Kind::size && take_size(text, bytes).empty()) return size_text(bytes);
  return text;
}

Value text(std::string& into, std::string_view placeholder) {
  return {.placeholder = std::string(placeholder),
          .initial = into,
          .take = [&into](const std::string& given) {
            into = given;
            return std::string();
          }};
}

Value file(std::string& into) {
  Value value = text(into, "FILE");
  value.kind = Kind::file;
  return value;
}

Value folder(std::string& into) {
  Value value = text(into, "DIR");
  value.kind = Kind::folder;
  return value;
}

Value duration(Duration& into) {
  return {.kind = Kind::duration,
          .placeholder = "TIME",
          .initial = duration_text(into),
          .take = [&into](const std::string& given) { return take_duration(given, into); }};
}

Value duration(std::optional<Duration>& into) {
  return {.kind = Kind::duration,
          .placeholder = "TIME",
          .initial = into ? duration_text(*into) : std::string(),
          .take = [&into](const std::string& given) {
            Duration taken = {};
            std::string problem = take_duration(given, taken);
            if (problem.empty()) into = taken;
            return problem;
          }};
}

Value size(std::uint64_t& into, std::uint64_t min) {
  return {.kind = Kind::size,
          .placeholder = "BYTES",
          .initial = size_text(into),
          .take = [&into, min](const std::string& given) {
            std::uint64_t taken = 0;
            std::string problem = take_size(given, taken);
            if (problem.empty() && taken < min) problem = "must be at least " + size_text(min);
            if (problem.empty()) into = taken;
            return problem;
          }};
}

Value time_limit(Duration& into) {
  Value value = duration(into);
  value.take = [&into](const std::string& given) { return take_time_limit(given, into); };
  return value;
}

Value time_limit(std::optional<Duration>& into) {
  Value value = duration(into);
  value.take = [&into, take = std::move(value.take)](const std::string& given) mutable {
    std::string problem = take(given);
    if (into == Duration::zero()) into.reset();
    return problem;
  };
  return value;
}

Value size_limit(std::optional<std::uint64_t>& into) {
  return {.kind = Kind::size,
          .placeholder = "BYTES",
          .initial = into ? size_text(*into) : std::string(),
          .take = [&into](const std::string& given) {
            std::uint64_t taken = 0;
            std::string problem = take_size(given, taken);
            if (!problem.empty()) return problem;
            into = taken;
            if (taken == 0) into.reset();
            return problem;
          }};
}

Value size(std::optional<std::uint64_t>& into, std::uint64_t min) {
  Value value = size_limit(into);
  value.take = [&into, min](const std::string& given) {
    std::uint64_t taken = 0;
    std::string problem = take_size(given, taken);
    if (problem.empty() && taken < min) problem = "must be at least " + size_text(min);
    if (problem.empty()) into = taken;
    return problem;
  };
  return value;
}

Value texts(std::vector<std::string>& into, std::string_view placeholder) {
  return {.placeholder = std::string(placeholder), .take = [&into](const std::string& given) {
            into.push_back(given);
            return std::string();
          }};
}

Value files(std::vector<std::string>& into) {
  Value value = texts(into, "FILE");
  value.kind = Kind::file;
  return value;
}

Value custom(std::string_view placeholder, Taker take, std::string initial) {
  return {.placeholder = std::string(placeholder),
          .initial = std::move(initial),
          .take = std::move(take)};
}

std::string about_choice(std::string_view text, const std::vector<std::string>& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view near = base::nearest(text, candidates);
  if (!near.empty()) return fmt::format("unknown value '{}'; did you mean {}?", text, near);
  return fmt::format("expected one of {}, not '{}'", fmt::join(names, ", "), text);
}

}  // namespace gossamer::options
