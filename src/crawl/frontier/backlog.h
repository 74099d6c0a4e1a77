#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "crawl/frontier/politeness.h"
#include "crawl/frontier/seen_set.h"
#include "crawl/frontier/stored_count.h"
#include "crawl/frontier/target.h"

namespace gossamer::crawler {

// robots.txt of an origin, as it came.
struct StoredRules {
  std::string source;
  Instant good_until = base::kNever;
};

// Where a frontier keeps what waits, so that it outlives the process and may be more than fits into
// memory. A port: what is kept, and how, is decided elsewhere.
//
// What it is told is kept by commit(), all or nothing. Failures are not the frontier's business:
// whoever owns the backlog hears of them and ends the crawl, or lets it wait.
class Backlog {
 public:
  virtual ~Backlog() = default;

  // What an earlier process left, told once, before anything else.
  struct Recall {
    std::move_only_function<void(std::uint64_t fingerprint)> seen;
    // So many targets of an origin wait; perhaps less, see More::ended. They are away, see
    // take_in().
    std::move_only_function<void(std::string_view origin, std::uint16_t depth, std::size_t count)>
        waiting;
    // Each of these. Only if it is wanted: it takes long.
    std::move_only_function<void(std::uint64_t fingerprint, const Target& target)> target;
    // Targets of this host were found. May be told more than once.
    std::move_only_function<void(std::string_view hostname)> host;
    // What was on its way from one loop to another, see send(), with its ticket.
    std::move_only_function<void(std::optional<std::uint64_t> fingerprint, Target target)> message;
    std::move_only_function<void(const StoredCount& count)> count;
  };
  virtual void recall(Recall recall) = 0;
  // Where the set of URLs that were seen goes on when it is too large. Nothing: nowhere.
  virtual std::optional<SeenSpill> seen_spill() { return std::nullopt; }

  struct Stored {
    std::uint64_t ticket = 0;
    bool is_in_memory = true;  // no: it comes back with more()
  };
  // A target that waits, with its URL. Without a fingerprint: once more. Those of a lower rank come
  // first. The counts go with it: whoever recalls the one recalls the others.
  virtual Stored add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
                     const Target& target, std::uint32_t rank,
                     std::span<const StoredCount> counts) = 0;

  struct More {
    std::vector<Target> targets;
    std::vector<std::uint16_t> ended;  // depths of those that turned out to have ended already
  };
  // The next ones of an origin that wait and are not in memory; none: there are none.
  virtual More more(std::string_view origin) = 0;

  // An origin is either in memory or away. add() brings it into memory, where it must not be put
  // while targets of it are away: that is what take_in() is for.
  // As add(), for an origin that is away: the target is on disk alone.
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
  // Takes origins that are away and have targets into memory, in the order they were first met.
  // Leaves out origins whose first target has a rank above `rank_max`.
  virtual TakenIn take_in(std::uint32_t from, std::uint32_t rank_max, std::size_t count_max) = 0;
  // Whether let_go() is possible with so many waiting targets in memory. REQUIRES: commit() was
  // called since the origin, or its host, was last told of.
  virtual bool can_let_go(std::string_view origin, std::size_t count) = 0;
  // The origin is away from now on. `tickets` are those of its waiting targets in memory.
  // REQUIRES: can_let_go().
  virtual void let_go(std::string_view origin, std::span<const std::uint64_t> tickets) = 0;
  // What was noted of a host or an origin that is away.
  virtual std::optional<PaceMemory> pace_of(std::string_view hostname) = 0;
  virtual std::optional<StoredRules> rules_of(std::string_view origin) = 0;

  // A target is on its way to the loop that has its site. Gives a ticket, which ends when that loop
  // has found it; until then it comes back with every recall().
  virtual std::uint64_t send(std::optional<std::uint64_t> fingerprint, const Target& target) = 0;

  // A target has ended.
  virtual void end(std::uint64_t ticket) = 0;
  virtual void note_host(std::string_view hostname, const PaceMemory& pace) = 0;
  virtual void note_rules(std::string_view origin, std::string_view source, Instant good_until) = 0;
  virtual void commit() = 0;
};

}  // namespace gossamer::crawler
