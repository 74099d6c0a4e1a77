// Reads the queue that an earlier process left in tables.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "frontier/backlog.h"
#include "frontier/site_number.h"
#include "store/tables.h"

namespace gossamer::store {

// Each of these reads the rows of one kind and calls the functions of `recall` for the sites of one
// of several loops.
Result<void> recall_hosts(const Tables& tables, crawler::Backlog::Recall& recall,
                          crawler::SiteShare share);
Result<void> recall_counts(const Tables& tables, crawler::Backlog::Recall& recall,
                           crawler::SiteShare share);
Result<void> recall_seen(const Tables& tables, crawler::Backlog::Recall& recall,
                         crawler::SiteShare share);
Result<void> recall_waiting(const Tables& tables, crawler::Backlog::Recall& recall,
                            crawler::SiteShare share);

// Returns whether the URL with this fingerprint has a row in the table of pages.
bool has_ended(const Tables& tables, std::uint64_t fingerprint);

// Calls `visit` for each chunk of queued targets, with the name of its origin, until it returns
// false. Messages between loops are left out.
using VisitChunk = std::move_only_function<bool(std::string_view origin, std::string_view chunk)>;
Result<void> scan_waiting(const Tables& tables, VisitChunk visit);
// The same for the URLs of these targets.
Result<void> visit_queued(const Tables& tables,
                          std::move_only_function<void(std::string_view url)> visit);

}  // namespace gossamer::store
