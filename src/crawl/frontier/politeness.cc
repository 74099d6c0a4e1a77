#include "crawl/frontier/politeness.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace gossamer::crawler {
namespace {

// Above this, every successful response halves a throttle. Below, it shrinks so slowly that a
// server with a rate limit refuses at most about one request in fifty.
constexpr Duration kThrottleQuick = 30s;
constexpr Duration::rep kThrottleForgets = 64;

}  // namespace

std::uint32_t HostPace::in_flight_max() const noexcept {
  if (is_down()) return 1;
  return std::min(in_flight_wanted(), options_->concurrency_first + room_made_);
}

std::uint32_t HostPace::in_flight_wanted() const noexcept {
  if (options_->host_concurrency) return *options_->host_concurrency;
  // A pause starts at the end of a request only if it is the only one in flight.
  if (crawl_delay_ > Duration::zero() || throttle_ > Duration::zero()) return 1;
  const bool is_free = options_->delay ? *options_->delay == Duration::zero() : is_own_;
  return is_free ? options_->own_concurrency : 1;
}

Duration HostPace::spacing() const noexcept {
  Duration wanted = Duration::zero();
  if (options_->delay) {
    wanted = *options_->delay;
  } else if (!is_own_) {
    wanted =
        std::clamp(last_took_ * options_->latency_factor, options_->delay_min, options_->delay_max);
  }
  return std::max(wanted, crawl_delay_);
}

Duration HostPace::delay() const noexcept { return std::max({spacing(), throttle_, backoff_}); }

void HostPace::follow(Duration before) noexcept {
  const bool is_trouble =
      backoff_ > Duration::zero() || throttle_ > Duration::zero() || refusals_ > 0;
  if (is_trouble || ready_at_ == Instant::min()) return;
  ready_at_ = base::add_saturating(ready_at_ - before, spacing());
}

void HostPace::recall(const PaceMemory& memory, Instant now) noexcept {
  ready_at_ = memory.ready_at;
  last_took_ = memory.last_took;
  crawl_delay_ = std::min(memory.crawl_delay, options_->crawl_delay_max);
  backoff_ = memory.backoff;
  throttle_ = memory.throttle;
  has_answered_ = memory.has_answered;
  // Each process tries hosts again that were parked or never reached.
  const bool is_given_up = !has_answered_ || memory.failures >= options_->failures_max;
  failures_ = is_given_up ? 0 : memory.failures;
  if (is_given_up && memory.failures > 0 && memory.refusals == 0) {
    // We chose these pauses ourselves. A user who resumes a crawl wants to know whether the host is
    // back.
    backoff_ = Duration::zero();
    ready_at_ = Instant::min();
  }
  refusals_ = memory.refusals < options_->refusals_max ? memory.refusals : 0;
  down_since_ = now;
  is_own_ = memory.is_own;
  if (const Duration pause = spacing(); pause > Duration::zero()) {
    pause_until(base::add_saturating(now, pause));
  }
}

void HostPace::start(Instant now) noexcept {
  CHECK(has_room());
  ++in_flight_;
  if (in_flight_max() > 1) pause_until(base::add_saturating(now, std::max(spacing(), throttle_)));
}

bool HostPace::finish(Instant started, Duration took, Instant now, HostSign sign,
                      std::optional<Duration> retry_after) noexcept {
  CHECK(in_flight_ > 0);
  --in_flight_;
  if (sign == HostSign::none) return false;
  last_took_ = took;
  if (sign == HostSign::failed) {
    room_made_ /= 2;
  } else {
    has_answered_ = true;
  }
  bool is_parked = false;
  switch (sign) {
    case HostSign::none: break;
    case HostSign::answered: answered(); break;
    case HostSign::erred:
      failures_ = 0;
      if (!is_own_) grow_backoff(options_->delay_max);
      break;
    case HostSign::refused: is_parked = refused(started, now, retry_after); break;
    case HostSign::failed: is_parked = failed(started, now); break;
  }
  const bool is_trouble = sign != HostSign::answered;
  if (in_flight_max() == 1 || is_trouble) pause_until(base::add_saturating(now, delay()));
  return is_parked;
}

void HostPace::answered() noexcept {
  failures_ = 0;
  refusals_ = 0;
  backoff_ = Duration::zero();
  throttle_ = throttle_ > kThrottleQuick ? throttle_ / 2 : throttle_ - throttle_ / kThrottleForgets;
  if (throttle_ <= spacing() / 2 || throttle_ < 10ms) throttle_ = Duration::zero();
}

void HostPace::grow_backoff(Duration longest) noexcept {
  const Duration first = is_own_ ? options_->own_backoff_first : options_->backoff_first;
  backoff_ = std::min(backoff_ == Duration::zero() ? first : backoff_ * 2, longest);
}

bool HostPace::failed(Instant started, Instant now) noexcept {
  // Of concurrent requests only one failure counts, since they share a cause.
  if (started < last_trouble_) return false;
  last_trouble_ = now;
  if (failures_ == 0) down_since_ = now;
  if (failures_ < std::numeric_limits<std::uint16_t>::max()) ++failures_;
  grow_backoff(options_->probe_gap_max);
  if (failures_ < options_->failures_max) return false;
  return !has_answered_ || now - down_since_ >= options_->outage_max;
}

bool HostPace::refused(Instant started, Instant now, std::optional<Duration> retry_after) noexcept {
  failures_ = 0;
  asks_too_long_ = retry_after && *retry_after > options_->wait_max;
  if (retry_after) {
    pause_until(base::add_saturating(now, std::min(*retry_after, options_->retry_after_max)));
  }
  if (started < last_trouble_) return asks_too_long_;
  last_trouble_ = now;
  if (!retry_after) {
    const Duration first = is_own_ ? options_->own_backoff_first : options_->backoff_first;
    throttle_ = std::min(std::max({throttle_, spacing(), first / 2}) * 2, options_->backoff_max);
  }
  return ++refusals_ >= options_->refusals_max || asks_too_long_;
}

ParkReason HostPace::park_reason() const noexcept {
  if (asks_too_long_ && refusals_ > 0) return ParkReason::asks_to_wait;
  return failures_ > 0 ? ParkReason::silent : ParkReason::refusing;
}

void SharedGap::start(Instant now, Duration gap) noexcept {
  last_start_ = now;
  next_free_ = std::max(next_free_, base::add_saturating(now, gap));
}

Instant SharedGap::reserve(Instant now, Duration gap) noexcept {
  const Instant when = std::max({now, earliest(gap), next_free_});
  next_free_ = base::add_saturating(when, gap);
  return when;
}

}  // namespace gossamer::crawler
