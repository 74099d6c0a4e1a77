#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "frontier/politeness.h"
#include "scope/stored_count.h"

namespace gossamer::crawler {

// The text of an origin's robots.txt.
struct StoredRules {
  std::string source;
  Instant good_until = base::kNever;
};

// Learns what happens to targets and hosts that come from elsewhere: from a backlog on disk or from
// the leases of a shared crawl. This is an interface.
class WorkLog {
 public:
  virtual ~WorkLog() = default;

  // A target is finished: its page is in the sink and its links were added.
  virtual void end(std::uint64_t ticket) = 0;
  virtual void note_host(std::string_view hostname, const PaceMemory& pace) = 0;
  virtual void note_rules(std::string_view origin, std::string_view source, Instant good_until) = 0;
  // Returns the known state of a host or an origin that is not in memory.
  virtual std::optional<PaceMemory> pace_of(std::string_view hostname) = 0;
  virtual std::optional<StoredRules> rules_of(std::string_view origin) = 0;
  // Everything since the last commit belongs together.
  virtual void commit() = 0;

  // For leased targets only: a backlog stores both itself.
  // These counts changed because the target was queued.
  virtual void note_counts(std::uint64_t /*ticket*/, std::span<const StoredCount> /*counts*/) {}
  // Another fetch belongs to the target of this ticket, which ends after both. Returns the ticket
  // of the other one; 0: it needs none.
  virtual std::uint64_t follow_up(std::uint64_t /*ticket*/) { return 0; }
};

}  // namespace gossamer::crawler
