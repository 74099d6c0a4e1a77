// Origins of which nothing more is asked in this run.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "crawl/frontier/memory_frontier.h"
#include "crawl/frontier/memory_frontier_origin.h"

namespace gossamer::crawler {

bool MemoryFrontier::is_kept(const Claim& claim) const {
  return keeps_waiting() || is_set_aside(origin_in(claim));
}

bool MemoryFrontier::has_answered(const Claim& claim) const {
  // Not any origin of the host: nobody may listen on another port of it.
  const Origin& origin = origin_in(claim);
  return origin.has_answered || origin.host.was_heard;
}

bool MemoryFrontier::may_be_down(const Claim& claim) const {
  const HostPace& pace = origin_in(claim).host.pace;
  return options_.probes_robots && has_answered(claim) && pace.failures() > 0;
}

void MemoryFrontier::probe(const Claim& claim) { origin_in(claim).is_probed = true; }

void MemoryFrontier::note_trouble(const Host& host) {
  if (host.pace.is_down() || host.pace.is_refusing()) {
    in_trouble_.insert(&host);
  } else if (!in_trouble_.empty()) {
    in_trouble_.erase(&host);
  }
}

std::vector<HostPause> MemoryFrontier::pauses(std::size_t count_max) const {
  std::vector<HostPause> all;
  const Instant now = loop_.now();
  for (const Host* const host : in_trouble_) {
    const bool has_work = std::ranges::any_of(host->origins, [](const Origin* origin) {
      return origin->stage != Stage::closed && !origin->queue.empty();
    });
    if (!has_work || host->pace.ready_at() <= now) continue;
    all.push_back({.host = std::string(host->name),
                   .until = host->pace.ready_at(),
                   .is_silent = host->pace.is_down()});
  }
  const std::size_t count = std::min(count_max, all.size());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::partial_sort(all, middle, [](const HostPause& a, const HostPause& b) {
    return a.until != b.until ? a.until > b.until : a.host < b.host;
  });
  all.resize(count);
  return all;
}

ParkReason MemoryFrontier::park_reason(std::string_view name) const {
  const Origin* const origin = find_origin(name);
  CHECK(origin != nullptr, "there is no origin {}", name);
  return origin->host.pace.park_reason();
}

void MemoryFrontier::drain(Origin& origin, OriginEnd end, Drop& drop) {
  take_out(origin);
  origin.stage = Stage::closed;
  origin.end = std::make_unique<OriginEnd>(std::move(end));
  if (is_set_aside(origin)) return set_aside(origin);
  while (!origin.queue.empty()) {
    Target target = pop(origin);
    --waiting_;
    if (origin.end->may_pass) count_unreached(origin, unreached_.urls_dropped);
    const std::uint16_t depth = target.depth;
    drop(std::move(target), *origin.end);
    share_->work.end(depth);
  }
  list_if_idle(origin.host);
}

void MemoryFrontier::close_origin(std::string_view name, OriginEnd end, Drop drop) {
  Origin* const origin = find_origin(name);
  CHECK(origin != nullptr, "there is no origin {}", name);
  if (origin->stage != Stage::closed) drain(*origin, std::move(end), drop);
}

void MemoryFrontier::park_host(std::string_view name, OriginEnd end, Drop drop) {
  Origin* const origin = find_origin(name);
  CHECK(origin != nullptr, "there is no origin {}", name);
  for (Origin* sibling : origin->host.origins) {
    if (sibling->stage == Stage::closed) continue;
    drain(*sibling, OriginEnd(end), drop);
  }
}

bool MemoryFrontier::is_set_aside(const Origin& origin) const {
  return backlog_ != nullptr && origin.stage == Stage::closed && origin.end->may_pass;
}

void MemoryFrontier::count_unreached(const Origin& origin, std::uint64_t& urls,
                                     std::uint64_t count) {
  urls += count;
  if (count > 0 && !std::exchange(origin.host.is_unreached, true)) ++unreached_.hosts;
}

void MemoryFrontier::set_aside(Origin& origin) {
  bytes_set_aside_ += origin.bytes;
  const std::size_t before = waiting_;
  // Only levels need the depths, so what is on disk is not read otherwise.
  if (!options_.is_level_by_level) {
    waiting_ -= origin.on_disk;
    ended_on_disk_ += std::exchange(origin.on_disk, 0);
  }
  while (!origin.queue.empty()) {
    ended_.push_back(pop(origin).depth);
    --waiting_;
  }
  count_unreached(origin, unreached_.urls_queued, before - waiting_);
  end_soon();
  list_if_idle(origin.host);
}

void MemoryFrontier::keep_for_later(const Origin& origin, const url::Url& url,
                                    std::optional<std::uint64_t> fingerprint, Target target,
                                    std::span<const KeptCount> counts) {
  if (target.is_probe) return;
  target.url = url.without_fragment();
  // It is in memory, not away, though nobody is going to claim this.
  backlog_->add(origin.name, fingerprint, target, rank_of(target, options_.order), counts);
  count_unreached(origin, unreached_.urls_queued);
}

}  // namespace gossamer::crawler
