#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/target.h"
#include "frontier/work_log.h"
#include "scope/seen_set.h"
#include "scope/stored_count.h"

namespace gossamer::crawler {

// Stores the queue of a frontier, so that it survives the process and may exceed the memory. This
// is an interface.
//
// commit() stores all changes since the last one atomically. The frontier does not handle failures:
// the owner of the backlog ends or pauses the crawl.
class Backlog : public WorkLog {
 public:
  // Receives the state of an earlier process, once, before anything else.
  struct Recall {
    std::move_only_function<void(std::uint64_t fingerprint)> seen;
    // The number of queued targets of an origin; it may be too high, see More::ended. They are
    // away, see take_in().
    std::move_only_function<void(std::string_view origin, std::uint16_t depth, std::size_t count)>
        waiting;
    // Each of these targets. Only on request, because it takes long.
    std::move_only_function<void(std::uint64_t fingerprint, const Target& target)> target;
    // Targets of this host were found. May be called more than once.
    std::move_only_function<void(std::string_view hostname)> host;
    // A message from one loop to another, see send(), with its ticket.
    std::move_only_function<void(std::optional<std::uint64_t> fingerprint, Target target)> message;
    std::move_only_function<void(const StoredCount& count)> count;
  };
  virtual void recall(Recall recall) = 0;
  // The storage of seen URLs that do not fit into memory. Empty: none.
  virtual std::optional<SeenSpill> seen_spill() { return std::nullopt; }

  struct Stored {
    std::uint64_t ticket = 0;
    bool is_in_memory = true;  // false: more() returns it later
  };
  // Adds a target with its URL. Without a fingerprint it is queued again. A lower rank comes first.
  // The counts are stored with the target.
  virtual Stored add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
                     const Target& target, std::uint32_t rank,
                     std::span<const StoredCount> counts) = 0;

  struct More {
    std::vector<Target> targets;
    std::vector<std::uint16_t> ended;  // depths of targets that are finished
  };
  // Returns the next targets of an origin that are only on disk; empty: there are none.
  virtual More more(std::string_view origin) = 0;

  // An origin is either in memory or away. add() brings it into memory; if it has targets that are
  // away, use take_in() instead.
  // Like add() for an origin that is away: the target is only on disk.
  virtual void put_away(std::string_view origin, std::optional<std::uint64_t> fingerprint,
                        const Target& target, std::uint32_t rank,
                        std::span<const StoredCount> counts) = 0;
  struct TakenIn {
    struct Origin {
      std::string name;
      std::size_t waiting = 0;  // for more()
    };
    std::vector<Origin> origins;
    std::uint32_t next = 0;  // where to continue; 0: at the beginning, this was the last
  };
  // Brings origins with targets into memory, in the order of their discovery. Skips origins whose
  // first target has a rank above `rank_max`.
  virtual TakenIn take_in(std::uint32_t from, std::uint32_t rank_max, std::size_t count_max) = 0;
  // Returns whether let_go() is possible with this many queued targets in memory. REQUIRES:
  // commit() was called after the last change of the origin or its host.
  virtual bool can_let_go(std::string_view origin, std::size_t count) = 0;
  // The origin is away from now on. `tickets` are those of its queued targets in memory.
  // REQUIRES: can_let_go().
  virtual void let_go(std::string_view origin, std::span<const std::uint64_t> tickets) = 0;

  // A target that was found as a guess (Purpose::guess) is a link of a page, too. Its page may be
  // stored already.
  virtual void note_linked(std::string_view origin, std::uint64_t fingerprint) = 0;

  // Stores a target that is sent to the loop of its site. Returns a ticket, which ends when that
  // loop has added it; until then every recall() returns it.
  virtual std::uint64_t send(std::optional<std::uint64_t> fingerprint, const Target& target) = 0;
};

}  // namespace gossamer::crawler
