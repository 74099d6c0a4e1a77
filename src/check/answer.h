// What is known of an address, by whatever way it was learned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "crawl/page/record.h"

namespace gossamer::check {

struct Answer {
  enum class Kind : std::uint8_t {
    unknown,  // nothing came
    good,
    redirect,  // look at `next`
    broken,
    unchecked,  // it was not asked for
  };

  Kind kind = Kind::unknown;
  std::optional<int> status;
  std::string cause;  // of broken: "404", "timeout"; of unchecked: "robots"
  std::string detail;
  std::string next;  // of a redirect

  // What the redirect says of itself: it is meant to stay.
  bool is_permanent() const noexcept { return status == 301 || status == 308; }
};

// Statuses that are no fault.
class AcceptedStatuses {
 public:
  // 200 to 299, and redirects, which are followed.
  AcceptedStatuses() = default;
  // "200..=204,403,429"; ranges as Rust writes them, or 200-299. Only these are accepted then.
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

// "timeout" for "timed_out", "dns" for "dns_failed": as people call it.
std::string_view cause_of(std::string_view error) noexcept;

}  // namespace gossamer::check
