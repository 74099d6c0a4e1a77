#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "async/endpoint.h"
#include "base/time.h"
#include "frontier/politeness.h"

namespace gossamer::crawler {

// The pauses that hosts share, on all loops: those of one address, and those of the whole crawl.
// All functions are thread-safe. All instants are from one clock.
class SharedPauses {
 public:
  SharedPauses(Duration address_gap, Duration global_gap) noexcept
      : address_gap_(address_gap), global_gap_(global_gap) {}

  // Starts a request to that address (empty: an address without a pause). If it must wait, returns
  // until when.
  std::optional<Instant> start(const std::optional<async::Endpoint>& address, Instant now);

  // Other processes share the addresses: `reserve` returns until when a request must wait; empty:
  // it may start. Call it before the first request.
  using Reserve =
      std::move_only_function<std::optional<Instant>(const async::Endpoint& address, Instant now)>;
  void share_addresses(Reserve reserve) { reserve_ = std::move(reserve); }

  // This many loops keep the rate of the crawl together, each with its own pauses. Call it before
  // the first request.
  void share_rate(std::uint32_t loops);

  // Hosts that wait may retry immediately.
  void set_global_gap(Duration gap);

 private:
  const Duration address_gap_;
  std::uint32_t loops_ = 1;
  std::atomic<Duration> global_gap_;  // changed with the lock held
  std::mutex mutex_;                  // guards the members below
  std::map<async::Endpoint, SharedGap> addresses_;
  SharedGap all_;
  Reserve reserve_;  // empty: the addresses are ours
};

}  // namespace gossamer::crawler
