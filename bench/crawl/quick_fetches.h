// Fetches that are answered immediately, at a steady rate, while others wait.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "frontier/frontier.h"
#include "record/page_sink.h"

namespace gossamer::bench {

// Counts pages and remembers the delay of those that were due at an instant.
class NotingSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override;

  std::uint64_t answered() const { return answered_; }

  // The path of a fetch that is due at that time.
  std::string expect(Instant due);
  std::uint64_t expected() const { return due_.size(); }
  // The delays of completed fetches since their due time, in the order of arrival.
  const std::vector<double>& latencies_ms() const { return latencies_ms_; }

 private:
  std::uint64_t answered_ = 0;  // complete, with status 200
  std::vector<Instant> due_;
  std::vector<double> latencies_ms_;
};

// The results of quick fetches.
struct QuickCost {
  double per_second = 0;
  double median_ms = 0;
  double p99_ms = 0;
  double missing = 0;
};

// Adds URLs to the frontier at a constant rate for some seconds, alternating between the hosts, and
// waits until they are fetched. Delays count from the due time of each, not from when the loop
// started it. BORROWS: all.
async::Task<Result<QuickCost>> fetch_quickly(const std::vector<async::Endpoint>& hosts,
                                             crawler::Frontier& frontier, NotingSink& sink,
                                             std::uint64_t per_second, std::uint64_t seconds);

}  // namespace gossamer::bench
