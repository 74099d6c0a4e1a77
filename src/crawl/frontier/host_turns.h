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
#include "crawl/frontier/frontier_options.h"
#include "crawl/frontier/origin.h"
#include "crawl/frontier/shared_pauses.h"

namespace gossamer::crawler {

// A host that makes us wait, with URLs in its queue.
struct HostPause {
  std::string host;
  Instant until = {};
  bool is_silent = false;  // it does not answer; else it asked us to wait
};

// Whose turn it is.
//
// Each origin is in one of four places: in the line of those that may be fetched from now (round
// and round, one target each), among the loop's timers until its host may be asked again, among
// those whose level is not reached yet, or nowhere: it has nothing queued, or its host has as many
// requests in flight as it may. A sleeping host costs the memory of its slot and nothing else.
class HostTurns {
 public:
  // BORROWS: all.
  HostTurns(async::Loop& loop, const FrontierOptions& options, SharedPauses& pauses) noexcept
      : loop_(loop), begun_(loop.now()), options_(options), pauses_(pauses) {}

  // Puts the origin where it belongs now. True: that is the line.
  bool place(Origin& origin);
  // It is nowhere.
  void take_out(Origin& origin) noexcept;
  // Its timer has fired, so it is nowhere.
  void wake(Origin& /*origin*/) noexcept { --asleep_; }

  // One in line may have its turn.
  bool has_next() const { return !is_closed_ && !line_.empty() && held_ < held_max_; }
  // Takes the first out of the line. REQUIRES: has_next().
  Origin& next() noexcept;
  // A request starts now. False: it has to wait after all, and sleeps until it may.
  bool start(Origin& origin, Instant now);
  // Turns that are taken and not ended.
  void take_turn() noexcept { ++held_; }
  void end_turn() noexcept { --held_; }
  // As many may be taken at the same time.
  void set_turns_max(std::size_t turns_max) noexcept { held_max_ = turns_max; }
  // Nobody will ever have a turn, unless something is added.
  bool is_stuck() const { return held_ == 0 && line_.empty() && asleep_ == 0; }

  // No further turns.
  void close() noexcept { is_closed_ = true; }
  bool is_closed() const noexcept { return is_closed_; }

  // Levels: no target has its turn while one of lesser depth is open.
  std::uint16_t level() const noexcept { return level_; }
  void lower_level(std::uint16_t depth) noexcept { level_ = std::min(level_, depth); }
  // Gives the origins that waited for a level, for the caller to place again.
  std::vector<Origin*> reach_level(std::uint16_t level);
  // REQUIRES: something is queued there, in memory.
  bool is_blocked(const Origin& origin) const {
    return options_.is_level_by_level && origin.queue.next_depth() > level_;
  }
  // Those that wait for a level. The caller may take some out.
  std::vector<Origin*>& blocked() noexcept { return blocked_; }

  // Which hosts are down or asked for a long pause.
  void note_trouble(const Host& host);
  void forget(const Host& host) { in_trouble_.erase(&host); }
  // Those with the longest pauses first.
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
  std::uint16_t level_ = 0;       // as far as it is known here
  std::unordered_set<const Host*> in_trouble_;
  std::size_t held_ = 0;
  std::size_t held_max_ = std::numeric_limits<std::size_t>::max();
  bool is_closed_ = false;
};

}  // namespace gossamer::crawler
