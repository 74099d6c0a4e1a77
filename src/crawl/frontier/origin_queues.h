#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "async/loop.h"
#include "crawl/frontier/backlog.h"
#include "crawl/frontier/frontier_options.h"
#include "crawl/frontier/origin.h"
#include "crawl/frontier/stored_count.h"
#include "crawl/frontier/target.h"
#include "crawl/shards/open_work.h"
#include "url/url.h"

namespace gossamer::crawler {

// What is queued, per origin. With a backlog all of it is there, and only the first of it in
// memory: while something waits at an origin, the next of it is in its queue.
class OriginQueues {
 public:
  // BORROWS: all. `backlog` may be nullptr.
  OriginQueues(async::Loop& loop, const FrontierOptions& options, OpenWork& work,
               Backlog* backlog) noexcept
      : loop_(loop), options_(options), work_(work), backlog_(backlog) {}

  // Without a fingerprint: a target that was added before, once more.
  void add(Origin& origin, const url::Url& url, std::optional<std::uint64_t> fingerprint,
           Target target, std::span<const StoredCount> counts);
  // A target that was popped comes back.
  void put_back(Origin& origin, Target target);
  // Takes the next target from its queue. REQUIRES: something is in memory.
  Target pop(Origin& origin);
  // The same for a host that is down: by turns the next target and another. One page that fails
  // again and again must not make its host seem down.
  Target pop_probe(Origin& origin);
  // Brings what is on disk into memory, unless the backlog is in trouble.
  void refill(Origin& origin);
  // A target has its record, or needs none.
  void settle(const Target& target);

  // What waits at a closed origin is for another process, and so is all that is found of it.
  bool is_set_aside(const Origin& origin) const {
    return backlog_ != nullptr && origin.stage == OriginStage::closed && origin.end->may_pass;
  }
  // Gives how many waited there. REQUIRES, for all: is_set_aside().
  std::size_t set_aside(Origin& origin);
  void keep_for_later(const Origin& origin, const url::Url& url,
                      std::optional<std::uint64_t> fingerprint, Target target,
                      std::span<const StoredCount> counts);
  // What is in memory stays in the backlog, for another process. REQUIRES: there is one.
  void leave(Origin& origin);

  // Targets at origins that are away (HostMemory) wait, too.
  void begin_away(std::uint16_t depth, std::size_t count);
  void end_away(std::size_t count);
  std::size_t waiting() const { return waiting_; }

 private:
  void end_soon();

  async::Loop& loop_;
  const FrontierOptions& options_;
  OpenWork& work_;
  Backlog* const backlog_;  // nullptr: none
  std::size_t waiting_ = 0;
  std::vector<std::uint16_t> ended_;  // depths of targets of the backlog that had ended already
  std::uint64_t ended_on_disk_ = 0;   // more of them, where depths do not matter
  async::TimerHandle end_soon_;
};

}  // namespace gossamer::crawler
