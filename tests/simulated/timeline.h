#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"

namespace gossamer::sim {

enum class EventKind : std::uint8_t {
  syn_arrives,          // subject: end
  connect_ends,         // subject: end; amount: errno
  segment_arrives,      // subject: the end that sent it; amount: bytes
  end_arrives,          // subject: the end that sends no more
  reset_arrives,        // subject: the end that receives it
  window_opens,         // subject: the end that may send again; amount: bytes
  turn_comes,           // subject: an end whose operation was deferred
  accept_turn_comes,    // subject: listener
  buffer_returns,       // an end waited for a lent buffer
  connection_breaks,    // subject: end
  connection_silent,    // subject: end
  file_operation_ends,  // subject: number of the operation
  cancel_lands,         // amount: number of the cancellation
};

// Something that will happen. It is small, so that a million of them can be pending.
struct Event {
  EventKind kind;
  std::uint32_t subject = 0;
  std::uint64_t amount = 0;
};

// The virtual clock and its future events. Events of one instant happen in the order in which they
// were scheduled, so a run is a function of its seed and its program.
class Timeline {
 public:
  Instant now() const { return now_; }
  // REQUIRES: `when` is not in the past.
  void move_to(Instant when);
  // Spends time on computing.
  void advance(Duration duration) { move_to(base::add_saturating(now_, duration)); }

  void schedule(Instant at, const Event& event);
  void schedule_after(Duration delay, const Event& event) {
    schedule(base::add_saturating(now_, delay), event);
  }

  bool empty() const { return entries_.empty(); }
  // Returns base::kNever if there is no event.
  Instant next_due() const { return entries_.empty() ? base::kNever : entries_.front().at; }
  // Removes the next event that is due now and was scheduled before `mark`.
  std::optional<Event> take_due(std::uint64_t mark);
  // For take_due(): events scheduled after this call are not before the mark.
  std::uint64_t mark() const { return next_order_; }

 private:
  struct Entry {
    Instant at;
    std::uint64_t order;
    Event event;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }

  Instant now_ = {};
  std::vector<Entry> entries_;  // a heap
  std::uint64_t next_order_ = 0;
};

}  // namespace gossamer::sim
