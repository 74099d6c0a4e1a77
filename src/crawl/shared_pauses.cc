#include "crawl/shared_pauses.h"

namespace gossamer::crawl {

std::optional<Instant> SharedPauses::start(const std::optional<async::Endpoint>& address,
                                           Instant now) {
  const bool has_gap = address && address_gap_ > Duration::zero();
  if (!has_gap && global_gap_ == Duration::zero()) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  SharedGap* const at = has_gap ? &addresses_[*address] : nullptr;
  if (at != nullptr && !at->is_free(now, address_gap_)) return at->reserve(now, address_gap_);
  if (!all_.is_free(now, global_gap_)) return all_.reserve(now, global_gap_);
  if (at != nullptr) at->start(now, address_gap_);
  all_.start(now, global_gap_);
  return std::nullopt;
}

}  // namespace gossamer::crawl
