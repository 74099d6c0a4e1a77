#include "tests/simulated/trace.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/random.h"

namespace gossamer::sim {

namespace {

constexpr auto kNames = std::to_array<std::string_view>({
    "listened",    "connecting",    "refused", "connected",   "accepted", "sent",
    "arrived",     "received",      "lost",    "swallowed",   "unread",   "shut_down",
    "end_arrived", "reset_arrived", "broke",   "went_silent", "closed",   "cancelled",
    "starved",     "injected",      "opened",  "read",        "written",  "synced",
    "file_failed", "crashed",
});
static_assert(kNames.size() == static_cast<std::size_t>(TraceKind::crashed) + 1);

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  std::uint64_t state = hash ^ word;
  return base::splitmix64(state);
}

}  // namespace

void Trace::record(Instant at, TraceKind kind, std::uint32_t subject, std::uint64_t amount) {
  hash_ = mix(hash_, static_cast<std::uint64_t>(at.time_since_epoch().count()));
  hash_ = mix(hash_, (static_cast<std::uint64_t>(kind) << 32) | subject);
  hash_ = mix(hash_, amount);
  const std::uint64_t number = count_++;
  if (lines_max_ == 0) return;
  const Line line = {at, kind, subject, amount};
  if (lines_.size() < lines_max_) {
    lines_.push_back(line);
  } else {
    lines_[number % lines_max_] = line;
  }
}

std::string Trace::text() const {
  std::string text;
  const std::uint64_t first = count_ - lines_.size();
  for (std::uint64_t number = first; number < count_; ++number) {
    const Line& line = lines_[number % lines_max_];
    text += fmt::format(
        "{:>14} {:<14} {:>5} {:>8}\n",
        fmt::format("{:.6f} s", static_cast<double>(line.at.time_since_epoch().count()) * 1e-9),
        kNames[static_cast<std::size_t>(line.kind)], line.subject, line.amount);
  }
  return text;
}

}  // namespace gossamer::sim
