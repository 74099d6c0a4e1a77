#include "node/lease_pace.h"

#include <algorithm>

namespace gossamer::node {
namespace {

constexpr Duration kLookPauseMin = 50ms;
constexpr Duration kLookPauseMax = 1s;
constexpr Duration kUnheardPauseMin = 10s;
constexpr Duration kUnheardPauseMax = 5min;
constexpr std::size_t kPerPartitionMax = 256;

}  // namespace

std::size_t LeasePace::share(std::size_t hosts, std::size_t nodes) {
  const std::size_t some = std::max<std::size_t>(nodes, 1);
  const std::size_t part = std::max<std::size_t>((hosts + some - 1) / some, 1);
  wanted_ = some == 1 ? hosts_max_ : std::min(hosts_max_, part);
  return wanted_ + wanted_ / 4;
}

void LeasePace::note(Instant now, bool has_found, bool has_enough) {
  // A site with many hosts is in one partition.
  const bool is_short = has_found && !has_enough;
  per_partition_ = is_short ? std::min(per_partition_ * 2, kPerPartitionMax) : 1;
  pause_ =
      has_found ? kLookPauseMin : std::clamp<Duration>(2 * pause_, kLookPauseMin, kLookPauseMax);
  next_ = base::add_saturating(now, pause_);
}

bool LeasePace::put_off(Instant now) {
  if (!is_due(now) && unheard_pause_ > Duration::zero()) return false;
  unheard_pause_ = std::clamp<Duration>(2 * unheard_pause_, kUnheardPauseMin, kUnheardPauseMax);
  next_ = base::add_saturating(now, unheard_pause_);
  return true;
}

}  // namespace gossamer::node
