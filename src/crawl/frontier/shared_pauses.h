#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "async/endpoint.h"
#include "base/time.h"
#include "crawl/frontier/politeness.h"

namespace gossamer::crawler {

// The pauses that hosts share: those of one address, and all of a crawl, on whatever loop they are.
// Any thread may call any of it; instants are those of one clock.
class SharedPauses {
 public:
  SharedPauses(Duration address_gap, Duration global_gap) noexcept
      : address_gap_(address_gap), global_gap_(global_gap) {}

  // A request to that address (nothing: to none that has to be spared) starts now. If it has to
  // wait: until when.
  std::optional<Instant> start(const std::optional<async::Endpoint>& address, Instant now);

  // Those who were told to wait may ask again at once.
  void set_global_gap(Duration gap);

 private:
  const Duration address_gap_;
  std::atomic<Duration> global_gap_;  // changed with the lock held
  std::mutex mutex_;                  // guards what follows
  std::map<async::Endpoint, SharedGap> addresses_;
  SharedGap all_;
};

}  // namespace gossamer::crawler
