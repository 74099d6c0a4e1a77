#include "node/cluster_trouble.h"

#include "record/statistics.h"

namespace gossamer::node {

bool ClusterTrouble::bear(Work work, const Error& error) {
  if (error == Errc::cancelled) return false;
  if (may_pass(error)) {
    // Only a node that cannot report has no contact at all. Other calls fail if one partition is
    // frozen or not ready.
    const bool is_whole = work == Work::beat;
    const bool is_known = is_whole ? failing_.contains(work) : !failing_.empty();
    const std::string who = is_whole ? "the shared crawl" : "a part of the shared crawl";
    if (!is_known) say_(who + " waits: " + error.message());
    failing_.insert(work);
    return true;
  }
  Error failure = error.copy();
  if (error == Errc::not_found) {
    failure = Error(Errc::not_found, "Redis has lost the shared crawl " + crawl_ +
                                         ", but this node keeps the pages that it fetched: " +
                                         std::string(error.detail()));
  }
  engine_->give_up(crawler::EndReason::cluster_failed, std::move(failure));
  return false;
}

void ClusterTrouble::recover(Work work) {
  if (failing_.erase(work) > 0 && failing_.empty()) say_("the shared crawl resumes");
}

}  // namespace gossamer::node
