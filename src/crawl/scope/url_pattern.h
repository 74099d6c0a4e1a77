// URL patterns of users. RE2 guarantees linear time for every pattern.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::crawler {

// All functions are thread-safe.
class UrlPatterns {
 public:
  UrlPatterns();  // empty: matches nothing
  UrlPatterns(UrlPatterns&&) noexcept;
  UrlPatterns& operator=(UrlPatterns&&) noexcept;
  ~UrlPatterns();

  // Fails with Errc::invalid_argument and names the pattern and its error.
  static Result<UrlPatterns> compile(std::span<const std::string> patterns);

  // REQUIRES, for both: not moved from.
  bool empty() const noexcept;
  // Returns whether a pattern matches somewhere in the text.
  bool match_any(std::string_view text) const;

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace gossamer::crawler
