#include "crawl/recent_failures.h"

#include <fmt/format.h>

#include <utility>

namespace gossamer::crawler {

void RecentFailures::note(const FetchRecord& record, Instant now) {
  const bool is_refused = record.status && *record.status >= 400;
  if ((record.error.empty() && !is_refused) || is_wrong_guess(record)) return;
  std::string cause =
      record.error.empty() ? fmt::format("{}", *record.status) : std::string(record.error);
  failures_.push_back({.url = record.url,
                       .cause = std::move(cause),
                       .detail = record.error_detail,
                       .via = record.via,
                       .at = now});
  if (failures_.size() > kKept) failures_.pop_front();
}

}  // namespace gossamer::crawler
