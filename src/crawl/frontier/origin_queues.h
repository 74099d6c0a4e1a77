#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "async/loop.h"
#include "frontier/backlog.h"
#include "frontier/frontier_options.h"
#include "frontier/open_work.h"
#include "frontier/origin.h"
#include "frontier/target.h"
#include "scope/stored_count.h"
#include "url/url.h"

namespace gossamer::crawler {

// The queues of all origins. With a backlog, everything is stored there, and only the first targets
// are in memory: if an origin has queued targets, its queue holds the next one.
class OriginQueues {
 public:
  // BORROWS: all. `backlog` and `log` may be nullptr.
  OriginQueues(async::Loop& loop, const FrontierOptions& options, OpenWork& work, Backlog* backlog,
               WorkLog* log) noexcept
      : loop_(loop), options_(options), work_(work), backlog_(backlog), log_(log) {}

  // Without a fingerprint, queues a known target again.
  void add(Origin& origin, const url::Url& url, std::optional<std::uint64_t> fingerprint,
           Target target, std::span<const StoredCount> counts);
  // Returns a popped target to the queue.
  void put_back(Origin& origin, Target target);
  // The same for a target whose server answered 503 just now, for the first time or again although
  // it answers others. It is fetched after the pause at the earliest.
  void put_off(Origin& origin, Target target, Duration pause);
  // Removes and returns the next target. REQUIRES: one is in memory.
  Target pop(Origin& origin);
  // Removes and returns a target that was put off and is due now; see PutOffTargets.
  std::optional<Target> take_put_off(Origin& origin, std::optional<Instant> last_answered);
  // The same for a host that is down: alternates between the next target and another one, because
  // one broken page must not make its host seem down.
  Target pop_probe(Origin& origin);
  // The same for a host that refuses: alternates between both ends of the queue, because its next
  // pages may be broken together. REQUIRES: one is in the queue.
  Target pop_distant(Origin& origin);
  // Reads more targets from disk, unless the backlog has failed.
  void refill(Origin& origin);
  // A target has its record or needs none.
  void settle(const Target& target);

  // Leaves the queue of a closed origin, and later targets, to another process.
  bool is_set_aside(const Origin& origin) const {
    return backlog_ != nullptr && origin.stage == OriginStage::closed && origin.end->may_pass;
  }
  // Returns the number of its targets. REQUIRES, for all: is_set_aside().
  std::size_t set_aside(Origin& origin);
  void keep_for_later(const Origin& origin, const url::Url& url,
                      std::optional<std::uint64_t> fingerprint, Target target,
                      std::span<const StoredCount> counts);
  // Leaves the targets in memory to another process. REQUIRES: there is a backlog.
  void leave(Origin& origin);

  // Includes targets of origins that are away (HostMemory).
  void begin_away(std::uint16_t depth, std::size_t count);
  void end_away(std::size_t count);
  std::size_t waiting() const { return waiting_; }

 private:
  void end_soon();

  async::Loop& loop_;
  const FrontierOptions& options_;
  OpenWork& work_;
  Backlog* const backlog_;  // nullptr: none
  WorkLog* const log_;      // nullptr: none
  std::size_t waiting_ = 0;
  std::vector<std::uint16_t> ended_;  // depths of targets in the backlog that were finished already
  std::uint64_t ended_on_disk_ = 0;   // further ones, if depths do not matter
  async::TimerHandle end_soon_;
};

}  // namespace gossamer::crawler
