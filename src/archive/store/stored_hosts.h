#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "frontier/backlog.h"
#include "store/journal.h"

namespace gossamer::store {

// Converts the loop's clock to the time of day.
struct StoredClock {
  WallTime wall_start;
  Instant loop_start;
  // The loop's clock. It is stored, so that the next process detects a time of day that was set
  // back; nullptr: not stored.
  Instant (*now)() = nullptr;
};

// The pace and the robots.txt of hosts, in the journal's tables. All functions but the constructor
// and take_over() are thread-safe.
class StoredHosts {
 public:
  // BORROWS: the journal.
  StoredHosts(Journal& journal, StoredClock clock) : journal_(journal), clock_(clock) {}

  // Reads the clock of an earlier process. REQUIRES: the journal's lock is held.
  void take_over();

  void note_host(std::string_view hostname, const crawler::PaceMemory& pace);
  void note_rules(std::string_view origin, std::string_view source, Instant good_until);
  std::optional<crawler::PaceMemory> pace_of(std::string_view hostname);
  std::optional<crawler::StoredRules> rules_of(std::string_view origin);
  // Adds the current time to a commit.
  void note_clock(Batch& batch) const;

 private:
  std::int64_t wall_of(Instant at) const;
  std::int64_t clock_start() const;
  Instant instant_of(std::int64_t wall) const;

  Journal& journal_;
  const StoredClock clock_;
  std::int64_t last_clock_ = 0;  // the time of day of the last write, in nanoseconds
};

}  // namespace gossamer::store
