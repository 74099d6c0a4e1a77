#include "frontier/host_turns.h"

#include <algorithm>
#include <optional>

namespace gossamer::crawler {

void HostTurns::take_out(Origin& origin) noexcept {
  if (origin.is_ready) line_.remove(origin);
  origin.is_ready = false;
  if (!origin.pending()) return;
  loop_.timers().remove(origin);
  --asleep_;
}

void HostTurns::sleep(Origin& origin, Instant until) {
  loop_.timers().add(origin, until);
  ++asleep_;
}

bool HostTurns::place(Origin& origin) {
  take_out(origin);
  if (is_closed_ || !origin.has_target() || origin.is_preparing) return false;
  if (origin.stage == OriginStage::closed) return false;
  const HostPace& pace = origin.host.pace;
  Instant when = pace.ready_at();
  if (origin.queue.empty() || is_blocked(origin)) {
    const bool is_new = !origin.queue.empty() && !std::exchange(origin.is_blocked, true);
    if (is_new) blocked_.push_back(&origin);
    if (origin.put_off.empty()) return false;
    when = std::max(when, origin.put_off.first_due());
  }
  if (!pace.has_room()) return false;  // it is placed again when a request ends
  if (when > loop_.now()) {
    sleep(origin, when);
    return false;
  }
  line_.push_back(origin);
  origin.is_ready = true;
  return true;
}

Origin& HostTurns::next() noexcept {
  Origin& origin = line_.pop_front();
  origin.is_ready = false;
  return origin;
}

bool HostTurns::start(Origin& origin, Instant now) {
  HostPace& pace = origin.host.pace;
  if (options_.is_continued) {  // a host without stored state gets a full pause
    const Duration pause = pace.spacing();
    if (pause > Duration::zero()) pace.pause_until(base::add_saturating(begun_, pause));
  }
  std::optional<Instant> later;
  if (pace.ready_at() > now) {
    later = pace.ready_at();
  } else {
    later = pauses_.start(pace.is_own() ? std::nullopt : origin.address, now);
  }
  if (later) {
    sleep(origin, *later);
  } else {
    pace.start(now);
  }
  return !later;
}

std::vector<Origin*> HostTurns::reach_level(std::uint16_t level) {
  level_ = level;
  return std::exchange(blocked_, {});
}

void HostTurns::note_trouble(const Host& host) {
  if (host.pace.is_down() || host.pace.is_refusing()) {
    in_trouble_.insert(&host);
  } else if (!in_trouble_.empty()) {
    in_trouble_.erase(&host);
  }
}

std::vector<HostPause> HostTurns::pauses(std::size_t count_max) const {
  std::vector<HostPause> all;
  const Instant now = loop_.now();
  for (const Host* const host : in_trouble_) {
    const bool has_work = std::ranges::any_of(host->origins, [](const Origin* origin) {
      return origin->stage != OriginStage::closed && origin->has_target();
    });
    if (!has_work || host->pace.ready_at() <= now) continue;
    all.push_back({.host = std::string(host->name),
                   .until = host->pace.ready_at(),
                   .is_silent = host->pace.is_down(),
                   .is_refusing = !host->pace.is_down() && !host->pace.asks_to_wait()});
  }
  const std::size_t count = std::min(count_max, all.size());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::partial_sort(all, middle, [](const HostPause& a, const HostPause& b) {
    return a.until != b.until ? a.until > b.until : a.host < b.host;
  });
  all.resize(count);
  return all;
}

}  // namespace gossamer::crawler
