// What is changed about a frontier while it is at work.

#include <utility>

#include "crawl/frontier/memory_frontier.h"
#include "crawl/frontier/memory_frontier_origin.h"

namespace gossamer::crawler {

void MemoryFrontier::set_claims_max(std::size_t claims_max) {
  claims_max_ = claims_max;
  if (backlog_ != nullptr && claims_max > 0) {
    refill_all();
    has_news_ = true;
    if (away_ > 0) admit_soon(Duration::zero());
  }
  serve();
  want_worker();
}

void MemoryFrontier::set_pace(const PolitenessOptions& politeness, Duration global_gap) {
  // Hosts borrow the options, so each is asked what it went by before these change.
  std::vector<std::pair<Host*, Duration>> rests;
  for (const auto& [name, host] : hosts_) rests.emplace_back(host.get(), host->pace.spacing());
  options_.politeness = politeness;
  manners_.set_usual(politeness);
  options_.global_gap = global_gap;
  share_->pauses.set_global_gap(global_gap);
  for (const auto& [host, before] : rests) host->pace.follow(before);
  for (const auto& [host, before] : rests) {
    for (Origin* origin : host->origins) place(*origin);
  }
  serve();
  want_worker();
}

void MemoryFrontier::block_host(std::string_view hostname, OriginEnd end, Drop drop) {
  Host& host = host_for(hostname);
  if (host.end) return;
  host.end = std::make_unique<const OriginEnd>(std::move(end));
  for (Origin* origin : host.origins) {
    if (origin->stage != Stage::closed) drain(*origin, OriginEnd(*host.end), drop);
  }
  if (backlog_ != nullptr) host.drop = std::make_unique<Drop>(std::move(drop));
}

const HostPace* MemoryFrontier::pace_of(std::string_view hostname) const {
  const auto found = hosts_.find(hostname);
  return found == hosts_.end() ? nullptr : &found->second->pace;
}

}  // namespace gossamer::crawler
