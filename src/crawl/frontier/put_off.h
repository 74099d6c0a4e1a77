// Pages that were refused with 503, while their host may be well.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/time.h"
#include "frontier/target.h"

namespace gossamer::crawler {

// The targets of one origin that are fetched again later, while others go first.
//
// A 503 may mean that the host is overloaded or that one page is broken. Another page decides: if
// it is answered, the refused one is fetched again. A second 503 is its own fault, and the
// host is not slowed down.
class PutOffTargets {
 public:
  // `refused_at` is the time of its last 503. It is not fetched before `due`.
  void add(Target target, Instant refused_at, Instant due);
  // Removes and returns one that is due and whose fault is not in doubt: it is proven, or a request
  // that was answered began after its refusal. `last_answered` is the last such beginning.
  std::optional<Target> take_due(Instant now, Instant last_answered);
  // The same whatever the fault.
  std::optional<Target> take_due(Instant now);
  // Removes and returns any. REQUIRES: not empty.
  Target pop();

  // When the first one is due. REQUIRES: not empty.
  Instant first_due() const noexcept;
  bool empty() const noexcept { return targets_.empty(); }
  std::size_t size() const noexcept { return targets_.size(); }
  std::size_t memory_bytes() const noexcept { return targets_.capacity() * sizeof(PutOff); }

 private:
  struct PutOff {
    Target target;
    Instant refused_at;
    Instant due;
  };

  Target take(std::size_t place);

  std::vector<PutOff> targets_;  // few, oldest first
};

}  // namespace gossamer::crawler
