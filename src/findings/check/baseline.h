#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "base/result.h"
#include "check/findings.h"

namespace gossamer::check {

// The findings of an earlier check, so that a build fails only for new ones. A finding is the same
// if its kind and URL are; in the audit also its cause. Positions do not matter, because lines
// move.
class Baseline {
 public:
  Baseline() = default;
  // Reads what to_json() wrote: one finding per line. Fails with Errc::malformed.
  static Result<Baseline> parse(std::string_view json);

  // Marks the findings that it has (Finding::is_known).
  void mark(Findings& findings) const;

 private:
  std::unordered_set<std::string> keys_;
};

}  // namespace gossamer::check
