#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "async/intrusive_list.h"
#include "async/loop.h"
#include "base/time.h"
#include "frontier/frontier_options.h"
#include "frontier/origin.h"
#include "frontier/shared_pauses.h"

namespace gossamer::crawler {

// A paused host with queued URLs.
struct HostPause {
  std::string host;
  Instant until = {};
  bool is_silent = false;    // it does not answer
  bool is_refusing = false;  // it refuses requests and did not say for how long; else it did
};

// Decides which origin is next.
//
// Each origin is in one of four states: ready (ready origins take turns, one target each), waiting
// for a timer until its host allows a request, blocked until its level is reached, or in no list:
// it has nothing queued, or its host has the maximum of requests in flight. A waiting host costs
// only memory.
class HostTurns {
 public:
  // BORROWS: all.
  HostTurns(async::Loop& loop, const FrontierOptions& options, SharedPauses& pauses) noexcept
      : loop_(loop), begun_(loop.now()), options_(options), pauses_(pauses) {}

  // Moves the origin to the list of its state. Returns true if it is ready.
  bool place(Origin& origin);
  // Removes the origin from its list.
  void take_out(Origin& origin) noexcept;
  // Its timer has fired, so it is in no list.
  void wake(Origin& /*origin*/) noexcept { --asleep_; }

  // True if an origin is ready and a turn is allowed.
  bool has_next() const { return !is_closed_ && !line_.empty() && held_ < held_max_; }
  // Removes and returns the first ready origin. REQUIRES: has_next().
  Origin& next() noexcept;
  // Starts a request now. Returns false if it must wait; then the origin waits for a timer.
  bool start(Origin& origin, Instant now);
  // The number of running turns.
  void take_turn() noexcept { ++held_; }
  void end_turn() noexcept { --held_; }
  // The maximum of running turns.
  void set_turns_max(std::size_t turns_max) noexcept { held_max_ = turns_max; }
  // True if no origin will ever be ready, unless something is added.
  bool is_stuck() const { return held_ == 0 && line_.empty() && asleep_ == 0; }

  // Allows no more turns.
  void close() noexcept { is_closed_ = true; }
  bool is_closed() const noexcept { return is_closed_; }

  // Levels: no target is claimed while one of lower depth is open.
  std::uint16_t level() const noexcept { return level_; }
  void lower_level(std::uint16_t depth) noexcept { level_ = std::min(level_, depth); }
  // Returns the origins that waited for a level; the caller places them again.
  std::vector<Origin*> reach_level(std::uint16_t level);
  // REQUIRES: its queue has a target in memory.
  bool is_blocked(const Origin& origin) const {
    return options_.is_level_by_level && origin.queue.next_depth() > level_;
  }
  // The origins that wait for a level. The caller may remove some.
  std::vector<Origin*>& blocked() noexcept { return blocked_; }

  // Hosts that are down or requested a long pause.
  void note_trouble(const Host& host);
  void forget(const Host& host) { in_trouble_.erase(&host); }
  // Sorted by pause, longest first.
  std::vector<HostPause> pauses(std::size_t count_max) const;

 private:
  void sleep(Origin& origin, Instant until);

  async::Loop& loop_;
  const Instant begun_;
  const FrontierOptions& options_;
  SharedPauses& pauses_;
  async::IntrusiveList<Origin> line_;
  std::size_t asleep_ = 0;        // origins among the loop's timers
  std::vector<Origin*> blocked_;  // by their level
  std::uint16_t level_ = 0;       // the last one that this loop knows
  std::unordered_set<const Host*> in_trouble_;
  std::size_t held_ = 0;
  std::size_t held_max_ = std::numeric_limits<std::size_t>::max();
  bool is_closed_ = false;
};

}  // namespace gossamer::crawler
