#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/random.h"
#include "base/time.h"
#include "sim/range.h"

namespace gossamer::sim {

// What the simulated network is like. The defaults are a calm one: equal delays, no faults, and
// everything that can end at once does.
struct NetworkOptions {
  // One way, from end to end; drawn once per connection.
  Range<Duration> delay = {100us, 100us};
  // Up to so much is added to the delay of each segment. Segments of one direction never overtake
  // each other; those of different connections do.
  Duration jitter = Duration::zero();
  // What is sent travels in pieces of these sizes, so small ones make small receives.
  Range<std::size_t> segment_bytes = {16 * 1024, 16 * 1024};
  // Sent and not yet acknowledged, per direction; drawn once per connection. A send waits for it.
  Range<std::size_t> window_bytes = {64 * 1024, 64 * 1024};
  // The chance that a receive gives less than has arrived.
  double short_receive = 0;
  // The chance that an operation that could end at once ends in the next poll instead, as all of
  // them do on io_uring.
  double deferred = 0;
  // How long a cancelled operation goes on. It may succeed meanwhile.
  Range<Duration> cancel_delay = {};

  // Faults, each the chance per connection.
  double refused = 0;      // the peer's host says no though somebody listens
  double unanswered = 0;   // connecting gets no answer and fails after 127 s, as on Linux
  double breaks = 0;       // both ends are told of a reset, what was under way is lost
  double goes_silent = 0;  // from then on nothing arrives, and nobody is told
  // When a connection breaks or goes silent, counted from the start of connecting.
  Range<Duration> fault_after = {Duration::zero(), 10s};

  // Receive buffers of the loop. When all are lent, receives wait.
  std::uint32_t lent_buffers_max = 256;
  std::size_t lent_buffer_bytes = 64 * 1024;

  // Every number drawn, faults included.
  static NetworkOptions stormy(base::Random& random);
};

// One line per option.
std::string describe(const NetworkOptions& options);

}  // namespace gossamer::sim
