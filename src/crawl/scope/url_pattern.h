// Patterns that users write to tell URLs apart. RE2: linear time, whatever they write.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::crawler {

// Any thread.
class UrlPatterns {
 public:
  UrlPatterns();  // none, which match nothing
  UrlPatterns(UrlPatterns&&) noexcept;
  UrlPatterns& operator=(UrlPatterns&&) noexcept;
  ~UrlPatterns();

  // Fails with Errc::invalid_argument and names the pattern and its fault.
  static Result<UrlPatterns> compile(std::span<const std::string> patterns);

  // REQUIRES, for both: not moved from.
  bool empty() const noexcept;
  // Whether one of them occurs somewhere in the text.
  bool match_any(std::string_view text) const;

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace gossamer::crawler
