#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/random.h"
#include "base/time.h"
#include "tests/simulated/range.h"

namespace gossamer::sim {

// The behaviour of the simulated network. The defaults have equal delays and no faults, and
// everything that can end immediately does.
struct NetworkOptions {
  // One way, from end to end; drawn once per connection.
  Range<Duration> delay = {100us, 100us};
  // Up to this much is added to the delay of each segment. Segments of one direction never overtake
  // each other; those of different connections do.
  Duration jitter = Duration::zero();
  // Data travels in pieces of these sizes, so small ones make small receives.
  Range<std::size_t> segment_bytes = {16 * 1024, 16 * 1024};
  // Sent and not yet acknowledged, per direction; drawn once per connection. A send waits for it.
  Range<std::size_t> window_bytes = {64 * 1024, 64 * 1024};
  // The chance that a receive returns less than has arrived.
  double short_receive = 0;
  // The chance that an operation that could end immediately ends in the next poll instead, as all
  // of them do on io_uring.
  double deferred = 0;
  // How long a cancelled operation continues. It may succeed meanwhile.
  Range<Duration> cancel_delay = {};

  // Faults, each the chance per connection.
  double refused = 0;      // the peer's host refuses although a listener exists
  double unanswered = 0;   // connecting gets no answer and fails after 127 s, as on Linux
  double breaks = 0;       // both ends get a reset, data in transit is lost
  double goes_silent = 0;  // from then on nothing arrives, and neither end is notified
  // When a connection breaks or goes silent, counted from the start of connecting.
  Range<Duration> fault_after = {Duration::zero(), 10s};

  // Receive buffers of the loop. When all are lent, receives wait.
  std::uint32_t lent_buffers_max = 256;
  std::size_t lent_buffer_bytes = 64 * 1024;

  // Draws every number, including faults.
  static NetworkOptions stormy(base::Random& random);
};

// One line per option.
std::string describe(const NetworkOptions& options);

}  // namespace gossamer::sim
