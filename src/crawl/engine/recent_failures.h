#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "base/time.h"
#include "record/record.h"

namespace gossamer::crawler {

// A URL whose outcome is an error.
struct FailedUrl {
  std::string url;
  std::string cause;   // see cause_of()
  std::string detail;  // empty: none
  std::string via;     // the page with the link; empty: it is a root
  Instant at = {};
};

// The last failures of a crawl. BOUND: kKept.
class RecentFailures {
 public:
  static constexpr std::size_t kKept = 50;

  // Notes the record if it is an error.
  void note(const FetchRecord& record, Instant now);
  // The newest is last.
  const std::deque<FailedUrl>& all() const noexcept { return failures_; }

 private:
  std::deque<FailedUrl> failures_;
};

}  // namespace gossamer::crawler
