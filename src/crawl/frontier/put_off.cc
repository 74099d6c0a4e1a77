#include "frontier/put_off.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace gossamer::crawler {

void PutOffTargets::add(Target target, Instant refused_at, Instant due) {
  targets_.push_back({.target = std::move(target), .refused_at = refused_at, .due = due});
}

Target PutOffTargets::take(std::size_t place) {
  Target target = std::move(targets_[place].target);
  targets_.erase(targets_.begin() + static_cast<std::ptrdiff_t>(place));
  if (targets_.empty()) targets_ = {};  // most hosts never need it again
  return target;
}

std::optional<Target> PutOffTargets::take_due(Instant now, Instant last_answered) {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    PutOff& one = targets_[i];
    const bool is_clear = one.target.fault == Fault::proven || last_answered > one.refused_at;
    if (!is_clear || one.due > now) continue;
    if (one.target.fault == Fault::unknown) one.target.fault = Fault::likely;
    return take(i);
  }
  return std::nullopt;
}

std::optional<Target> PutOffTargets::take_due(Instant now) {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i].due <= now) return take(i);
  }
  return std::nullopt;
}

Target PutOffTargets::pop() {
  CHECK(!empty());
  return take(targets_.size() - 1);
}

Instant PutOffTargets::first_due() const noexcept {
  return std::ranges::min_element(targets_, {}, &PutOff::due)->due;
}

}  // namespace gossamer::crawler
