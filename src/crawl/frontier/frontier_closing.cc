// The parts of a frontier that close origins, and those that give leased hosts back.

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "frontier/frontier.h"

namespace gossamer::crawler {

// --- closed origins

Origin& Frontier::origin_named(std::string_view name) const {
  Origin* const origin = hosts_.find(name);
  CHECK(origin != nullptr, "unknown origin {}", name);
  return *origin;
}

void Frontier::count_unreached(const Origin& origin, std::uint64_t& urls, std::uint64_t count) {
  urls += count;
  if (count > 0 && !std::exchange(origin.host.is_unreached, true)) ++unreached_.hosts;
}

void Frontier::drain(Origin& origin, OriginEnd end, DropTarget& drop) {
  turns_.take_out(origin);
  origin.stage = OriginStage::closed;
  origin.end = std::make_unique<OriginEnd>(std::move(end));
  if (queues_.is_set_aside(origin)) {
    hosts_.count_set_aside(origin);
    count_unreached(origin, unreached_.urls_queued, queues_.set_aside(origin));
  }
  while (origin.has_target()) {
    Target target = queues_.pop(origin);
    const std::uint16_t depth = target.depth;
    if (deeper_.take_stale(target)) {
      settle(target);
    } else {
      if (origin.end->may_pass) count_unreached(origin, unreached_.urls_dropped);
      drop(std::move(target), *origin.end);
    }
    share_->work.end(depth);
  }
  hosts_.list_if_idle(origin.host);
}

void Frontier::close_origin(std::string_view name, OriginEnd end, DropTarget drop) {
  Origin& origin = origin_named(name);
  if (origin.stage != OriginStage::closed) drain(origin, std::move(end), drop);
}

void Frontier::park_host(std::string_view origin, OriginEnd end, DropTarget drop) {
  for (Origin* sibling : origin_named(origin).host.origins) {
    if (sibling->stage != OriginStage::closed) drain(*sibling, OriginEnd(end), drop);
  }
}

void Frontier::block_host(std::string_view hostname, OriginEnd end, DropTarget drop) {
  Host& host = hosts_.host_for(hostname);
  if (host.end) return;
  host.end = std::make_unique<HostEnd>(HostEnd{std::move(end), std::move(drop)});
  for (Origin* origin : host.origins) {
    if (origin->stage != OriginStage::closed)
      drain(*origin, OriginEnd(host.end->end), host.end->drop);
  }
}

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
    while (origin->has_target()) share_->work.end(queues_.pop(*origin).depth);
  }
  return hosts_.forget(*host);
}

}  // namespace gossamer::crawler
