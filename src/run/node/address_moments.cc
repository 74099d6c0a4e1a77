#include "node/address_moments.h"

#include <algorithm>
#include <utility>

namespace gossamer::node {
namespace {

constexpr std::size_t kAddressesMax = 10'000;
// Redis answers about this fast.
constexpr Duration kLookAgain = 20ms;
// BOUND: the slack, in pauses. One answer that is very late must not block an address for long.
constexpr std::int64_t kSlackMax = 8;

}  // namespace

std::optional<Instant> AddressMoments::start(const std::string& address, Instant now) {
  if (addresses_.size() >= kAddressesMax && !addresses_.contains(address)) make_room(now);
  Address& at = addresses_[address];
  while (!at.moments.empty() && at.moments.front().last < now) at.moments.pop_front();
  if (at.moments.empty()) {
    if (!std::exchange(at.is_asked, true)) wanted_.push_back(address);
    return base::add_saturating(now, kLookAgain);
  }
  const Instant first = at.moments.front().first;
  if (first > now) return first;
  at.moments.pop_front();
  return std::nullopt;
}

void AddressMoments::make_room(Instant now) {
  std::erase_if(addresses_, [&](const auto& each) {
    const Address& at = each.second;
    return !at.is_asked && (at.moments.empty() || at.moments.back().last < now);
  });
}

std::vector<std::string> AddressMoments::take_wanted() { return std::exchange(wanted_, {}); }

void AddressMoments::add(const std::string& address, std::optional<Duration> wait, Duration spacing,
                         Instant sent, Instant answered) {
  Address& at = addresses_[address];
  at.is_asked = false;
  if (!wait) return;
  const Duration slack = spacing - gap_;
  slack_ = std::clamp<Duration>(2 * (answered - sent), gap_ / 4, gap_ * kSlackMax);
  for (std::uint32_t i = 0; i < kAtOnce; ++i) {
    const Duration after = std::min<Duration>(*wait, 24h) + i * spacing;
    at.moments.push_back({.first = base::add_saturating(answered, after),
                          .last = base::add_saturating(sent, after) + slack});
  }
}

}  // namespace gossamer::node
