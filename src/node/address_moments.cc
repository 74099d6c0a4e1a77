#include "node/address_moments.h"

#include <utility>

namespace gossamer::node {
namespace {

constexpr std::size_t kAddressesMax = 10'000;
// Redis answers about this fast.
constexpr Duration kLookAgain = 20ms;

}  // namespace

std::optional<Instant> AddressMoments::start(const std::string& address, Instant now) {
  if (addresses_.size() >= kAddressesMax && !addresses_.contains(address)) make_room(now);
  Address& at = addresses_[address];
  // A request that starts too late would come near the moment of another node.
  const Instant oldest = base::add_saturating(now, -gap_ / 4);
  while (!at.moments.empty() && at.moments.front() < oldest) at.moments.pop_front();
  if (at.moments.empty()) {
    if (!std::exchange(at.is_asked, true)) wanted_.push_back(address);
    return base::add_saturating(now, kLookAgain);
  }
  const Instant first = at.moments.front();
  if (first > now) return first;
  at.moments.pop_front();
  return std::nullopt;
}

void AddressMoments::make_room(Instant now) {
  std::erase_if(addresses_, [&](const auto& each) {
    const Address& at = each.second;
    return !at.is_asked && (at.moments.empty() || at.moments.back() < now);
  });
}

std::vector<std::string> AddressMoments::take_wanted() { return std::exchange(wanted_, {}); }

void AddressMoments::add(const std::string& address, std::optional<Instant> first) {
  Address& at = addresses_[address];
  at.is_asked = false;
  for (std::uint32_t i = 0; first && i < kAtOnce; ++i) {
    at.moments.push_back(base::add_saturating(*first, i * gap_));
  }
}

}  // namespace gossamer::node
