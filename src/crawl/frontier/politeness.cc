#include "frontier/politeness.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace gossamer::crawler {
namespace {

// Above this, every successful response halves a throttle. Below, it shrinks so slowly that a
// server with a rate limit refuses at most about one request in fifty.
constexpr Duration kThrottleQuick = 30s;
constexpr Duration::rep kThrottleForgets = 64;

// After this many broken pages, a single refusal is probably the fault of its page, too.
constexpr std::uint16_t kBrokenPagesKnown = 3;

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
    failures_ = 0;
  }
  bool is_parked = false;
  switch (sign) {
    case HostSign::none: break;
    case HostSign::answered: answered(started); break;
    case HostSign::alive:
      last_alive_ = std::max(last_alive_, started);
      is_alive_ = true;
      backoff_ = Duration::zero();
      break;
    case HostSign::erred:
      if (!is_own_) grow_backoff(options_->delay_max);
      break;
    case HostSign::unavailable: is_parked = refused(started, now, retry_after, true); break;
    case HostSign::broken_page: break;
    case HostSign::refused: is_parked = refused(started, now, retry_after, false); break;
    case HostSign::failed: is_parked = failed(started, now); break;
  }
  const bool is_trouble = sign == HostSign::erred || sign == HostSign::unavailable ||
                          sign == HostSign::refused || sign == HostSign::failed;
  if (in_flight_max() == 1 || is_trouble) pause_until(base::add_saturating(now, delay()));
  return is_parked;
}

void HostPace::answered(Instant started) noexcept {
  last_good_ = std::max(last_good_, started);
  last_alive_ = std::max(last_alive_, started);
  refusals_ = 0;
  if (answers_ < std::numeric_limits<std::uint32_t>::max()) ++answers_;
  is_alive_ = false;
  backoff_ = Duration::zero();
  throttle_ = throttle_ > kThrottleQuick ? throttle_ / 2 : throttle_ - throttle_ / kThrottleForgets;
  if (throttle_ <= spacing() / 2 || throttle_ < 10ms) throttle_ = Duration::zero();
}

Duration HostPace::backoff_first() const noexcept {
  return is_own_ ? options_->own_backoff_first : options_->backoff_first;
}

void HostPace::grow_backoff(Duration longest) noexcept {
  backoff_ = std::min(backoff_ == Duration::zero() ? backoff_first() : backoff_ * 2, longest);
}

Duration HostPace::pause_of_page(std::uint32_t tries) const noexcept {
  Duration pause = std::max(backoff_first(), spacing());
  for (; tries > 1 && pause < options_->delay_max; --tries) pause *= 2;
  return pause;
}

void HostPace::clear_of_page() noexcept {
  if (refusals_ > 0) --refusals_;
  if (broken_pages_ < kBrokenPagesKnown) ++broken_pages_;
  throttle_ /= 2;
  if (throttle_ <= std::max(spacing(), backoff_first() / 2)) throttle_ = Duration::zero();
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

bool HostPace::refused(Instant started, Instant now, std::optional<Duration> retry_after,
                       bool may_be_page) noexcept {
  asks_too_long_ = retry_after && *retry_after > options_->wait_max;
  if (retry_after) {
    pause_until(base::add_saturating(now, std::min(*retry_after, options_->retry_after_max)));
    asks_ = true;
  }
  if (started < last_trouble_) return asks_too_long_;
  last_trouble_ = now;
  asks_ = retry_after.has_value();
  const bool is_first = refusals_ == 0;
  const bool is_probably_page =
      may_be_page && (is_first ? broken_pages_ >= kBrokenPagesKnown : is_alive_);
  if (!retry_after && !is_probably_page) {
    throttle_ =
        std::min(std::max({throttle_, spacing(), backoff_first() / 2}) * 2, options_->backoff_max);
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
