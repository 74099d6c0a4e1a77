#include "node/address_reservations.h"

#include <utility>

#include "async/loop.h"
#include "async/scope.h"

namespace gossamer::node {

std::optional<Instant> AddressReservations::start_at(const async::Endpoint& address, Instant now) {
  auto later = moments_.start(address.address_text(), now);
  if (moments_.has_wanted()) has_wanted_.set();
  return later;
}

async::Task<Result<void>> AddressReservations::run() {
  async::Scope calls(async::OnFailure::keep_going);
  for (;;) {
    if (auto waited = co_await has_wanted_.wait(); !waited) break;
    has_wanted_.clear();
    for (std::string& address : moments_.take_wanted()) calls.spawn(reserve(std::move(address)));
  }
  calls.cancel();
  co_return co_await calls.join();
}

async::Task<void> AddressReservations::reserve(std::string address) {
  async::Loop& loop = async::Loop::current();
  const Instant sent = loop.now();
  const Duration spacing = moments_.spacing();
  const auto wait = co_await crawl_.reserve(address, spacing, AddressMoments::kAtOnce);
  moments_.add(address, wait ? std::optional(*wait) : std::nullopt, spacing, sent, loop.now());
}

}  // namespace gossamer::node
