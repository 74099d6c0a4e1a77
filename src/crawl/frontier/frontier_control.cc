// The control of a running frontier: leased hosts, limits and delays.
#include "crawl/frontier/frontier.h"

namespace gossamer::crawler {

// --- leased hosts

void Frontier::lease_host(std::string_view hostname, Instant until) {
  Host& host = hosts_.host_for(hostname);
  const bool has_lapsed = host.leased_until <= loop_.now();
  host.leased_until = until;
  if (has_lapsed) place_host(host);
}

bool Frontier::withdraw_host(std::string_view hostname) {
  Host* const host = hosts_.find_host(hostname);
  if (host == nullptr) return true;
  host->leased_until = Instant::min();
  for (Origin* origin : host->origins) {
    turns_.take_out(*origin);
    while (!origin->queue.empty()) share_->work.end(queues_.pop(*origin).depth);
  }
  return hosts_.forget(*host);
}

// --- control

void Frontier::set_claims_max(std::size_t claims_max) {
  turns_.set_turns_max(claims_max);
  if (backlog_ != nullptr && claims_max > 0) {
    // The backlog may have failed before.
    hosts_.for_each_origin([this](Origin& origin) {
      if (!origin.queue.empty() || origin.on_disk == 0) return;
      queues_.refill(origin);
      if (origin.stage == OriginStage::closed) {
        queues_.leave(origin);
      } else {
        place(origin);
      }
    });
    hosts_.admit_others();
  }
  serve();
  want_worker();
}

void Frontier::set_pace(const PolitenessOptions& politeness, Duration global_gap) {
  options_.politeness = politeness;
  options_.global_gap = global_gap;
  hosts_.set_politeness(politeness);
  share_->pauses.set_global_gap(global_gap);
  hosts_.for_each_origin([this](Origin& origin) { place(origin); });
  serve();
  want_worker();
}

}  // namespace gossamer::crawler
