#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::check {

// Rules that replace URLs before they are checked: "PATTERN REPLACEMENT". The pattern is RE2 and
// matches anywhere in the URL; in the replacement, $1 to $9 are its groups, $0 is the whole match,
// and $$ is a dollar sign.
class Remaps {
 public:
  // Adds a rule. Fails with Errc::invalid_argument and names the rule.
  Result<void> add(std::string_view rule);
  bool empty() const noexcept { return rules_.empty(); }
  // Applies the first rule that matches, to its first match. Empty: none matches.
  std::optional<std::string> apply(std::string_view url) const;

 private:
  struct Rule;
  std::vector<std::shared_ptr<const Rule>> rules_;
};

}  // namespace gossamer::check
