#include "engine/recent_failures.h"

#include "record/outcome.h"

namespace gossamer::crawler {

void RecentFailures::note(const FetchRecord& record, Instant now) {
  if (outcome_of(record) != Outcome::error) return;
  failures_.push_back({.url = record.url,
                       .cause = cause_of(record),
                       .detail = record.error_detail,
                       .via = record.via,
                       .at = now});
  if (failures_.size() > kKept) failures_.pop_front();
}

}  // namespace gossamer::crawler
