// The result for one URL, whatever its source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "record/record.h"

namespace gossamer::check {

struct Answer {
  enum class Kind : std::uint8_t {
    unknown,  // no result yet
    good,
    redirect,  // follow `next`
    broken,
    blocked,    // 403 or 429: the server rejects programs, or this many requests
    unchecked,  // it was not fetched
  };

  Kind kind = Kind::unknown;
  std::optional<int> status;
  std::string cause;  // if broken: "404", "timeout"; if blocked: "403"; if unchecked: "robots"
  std::string detail;
  std::string next;  // target of a redirect

  // Returns whether the redirect is permanent.
  bool is_permanent() const noexcept { return status == 301 || status == 308; }
};

// Statuses that are not faults.
class AcceptedStatuses {
 public:
  // Accepts 200 to 299, and redirects, which are followed.
  AcceptedStatuses() = default;
  // Parses "200..=204,403,429"; ranges in Rust's syntax, or 200-299. Only these are accepted then.
  // Fails with Errc::invalid_argument.
  static Result<AcceptedStatuses> parse(std::string_view text);

  bool contains(int status) const noexcept;
  // As parse() takes it.
  std::string to_string() const;

 private:
  struct Range {
    int first = 200;
    int last = 299;
  };
  std::vector<Range> ranges_ = {Range{}};
};

Answer answer_of(const crawler::FetchRecord& record, const AcceptedStatuses& accepted);
Answer answer_of(const crawler::SkippedUrl& skipped);

// Returns a common name: "timeout" for "timed_out", "dns" for "dns_failed".
std::string_view cause_of(std::string_view error) noexcept;

}  // namespace gossamer::check
