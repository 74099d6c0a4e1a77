#include "frontier/shared_pauses.h"

namespace gossamer::crawler {

std::optional<Instant> SharedPauses::start(const std::optional<async::Endpoint>& address,
                                           Instant now) {
  const bool has_gap = address && address_gap_ > Duration::zero();
  if (!has_gap && global_gap_.load(std::memory_order_relaxed) == Duration::zero()) {
    return std::nullopt;
  }
  const std::scoped_lock lock(mutex_);
  const Duration global_gap = global_gap_.load(std::memory_order_relaxed);
  SharedGap* const at = has_gap ? &addresses_[*address] : nullptr;
  if (at != nullptr && !at->is_free(now, address_gap_)) return at->reserve(now, address_gap_);
  if (!all_.is_free(now, global_gap)) return all_.reserve(now, global_gap);
  if (at != nullptr && reserve_) {
    if (const auto later = reserve_(*address, now)) return later;
  }
  if (at != nullptr) at->start(now, address_gap_);
  all_.start(now, global_gap);
  return std::nullopt;
}

void SharedPauses::share_rate(std::uint32_t loops) {
  loops_ = loops;
  set_global_gap(global_gap_.load(std::memory_order_relaxed));
}

void SharedPauses::set_global_gap(Duration gap) {
  const std::scoped_lock lock(mutex_);
  global_gap_.store(gap * loops_, std::memory_order_relaxed);
  all_.forget_reservations();
}

}  // namespace gossamer::crawler
