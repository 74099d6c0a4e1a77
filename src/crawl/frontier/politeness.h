// When may a host be asked again? Pure: what time it is, the caller says.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

namespace gossamer::crawler {

struct PolitenessOptions {
  // Least time between two requests to one host. Nothing: `latency_factor` times what the last
  // fetch took, within delay_min and delay_max, and none for hosts of the own machine or network.
  std::optional<Duration> delay;
  Duration delay_min = 1s;
  Duration delay_max = 30s;
  std::uint32_t latency_factor = 10;
  // Requests in flight to one host. Nothing: 1; for hosts of the own machine or network, and with
  // a delay of zero, own_concurrency.
  std::optional<std::uint32_t> host_concurrency;
  std::uint32_t own_concurrency = 64;
  // A host begins with so many, and gets one more with each answer while we have time for it: small
  // servers drop connections that all come at once.
  std::uint32_t concurrency_first = 4;
  // Least time between the starts of two requests to one address, whatever the hosts are called.
  // Not for addresses of the own machine or network.
  Duration address_gap = 500ms;
  // A host that asks for longer pauses than this is not crawled: to go faster would be rude.
  Duration crawl_delay_max = 300s;
  // A host that asks for a longer pause (Retry-After) is parked.
  Duration wait_max = 1h;
  // Retry-After beyond this is cut to it.
  Duration retry_after_max = 24h;
  // The pause after a failure; it doubles with each further one in a row.
  Duration backoff_first = 1s;
  Duration own_backoff_first = 100ms;
  Duration backoff_max = 1h;
  // A host that was never reached is parked after so many failures in a row (timeouts, broken
  // connections, 502 and 504).
  std::uint32_t failures_max = 5;
  // A host that answered before and stops answering is down. It is probed, one request at a time,
  // until it answers or has been down for this long; then it is parked.
  Duration outage_max = 5min;
  // The longest pause between two probes.
  Duration probe_gap_max = 30s;
  // And after so many answers in a row that ask us to stay away (429, 503).
  std::uint32_t refusals_max = 12;
};

// How a request ended, as far as politeness is concerned.
enum class HostSign : std::uint8_t {
  none,  // it was not asked, for reasons of ours
  answered,
  erred,    // 500 and the like: it answers, but is in trouble
  refused,  // 429, 503: it wants to be left alone
  failed,   // no answer
};

// Why a host is parked.
enum class ParkReason : std::uint8_t {
  silent,        // it did not answer for too long
  refusing,      // it refused too many requests in a row
  asks_to_wait,  // for longer than we are ready to
};

// What is to be remembered of a host's pace beyond the life of the process.
struct PaceMemory {
  Instant ready_at = Instant::min();
  Duration last_took = Duration::zero();
  Duration crawl_delay = Duration::zero();
  Duration backoff = Duration::zero();
  Duration throttle = Duration::zero();
  std::uint16_t failures = 0;
  std::uint16_t refusals = 0;
  bool is_own = false;
  bool has_answered = false;
};

// The pace of one host: when its next request may start, and how many may be under way.
class HostPace {
 public:
  // BORROWS: the options.
  explicit HostPace(const PolitenessOptions& options) noexcept : options_(&options) {}

  // It is of the own machine or network.
  void set_own(bool is_own) noexcept { is_own_ = is_own; }
  bool is_own() const noexcept { return is_own_; }
  // REQUIRES: not more than PolitenessOptions::crawl_delay_max.
  void set_crawl_delay(Duration delay) noexcept { crawl_delay_ = delay; }

  // It failed more than once since its last answer: it is probed.
  bool is_down() const noexcept { return failures_ > 1; }
  // It asked us to wait until ready_at(), or refuses without saying how long.
  bool is_refusing() const noexcept { return refusals_ > 0; }
  // REQUIRES: finish() said that it is to be parked.
  ParkReason park_reason() const noexcept;
  std::uint32_t failures() const noexcept { return failures_; }  // since its last answer

  std::uint32_t in_flight() const noexcept { return in_flight_; }
  std::uint32_t in_flight_max() const noexcept;
  bool has_room() const noexcept { return in_flight_ < in_flight_max(); }
  Instant ready_at() const noexcept { return ready_at_; }
  // Between a request and the next, as things stand.
  Duration delay() const noexcept;

  // REQUIRES: has_room().
  void start(Instant now) noexcept;
  // An answer came to somebody who has time for more: one more request may be in flight.
  void make_room() noexcept {
    if (room_made_ < in_flight_wanted()) ++room_made_;
  }
  // A request that start() counted has ended. True: the host failed so often that it is to be
  // parked.
  // `took` is the time until the answer was there.
  [[nodiscard]] bool finish(Instant started, Duration took, Instant now, HostSign sign,
                            std::optional<Duration> retry_after = std::nullopt) noexcept;
  PaceMemory memory() const noexcept {
    return {ready_at_, last_took_, crawl_delay_, backoff_,     throttle_,
            failures_, refusals_,  is_own_,      has_answered_};
  }
  // What was in flight at the end is not known, so the host gets a pause from now on.
  // REQUIRES: nothing was asked of the host yet.
  void recall(const PaceMemory& memory, Instant now) noexcept;
  // What start() counted was no request after all.
  void withdraw() noexcept { --in_flight_; }
  void pause_until(Instant when) noexcept {
    if (when > ready_at_) ready_at_ = when;
  }
  // Between two requests if all is well.
  Duration spacing() const noexcept;
  // The options have changed; spacing() was `before`. The pause that it is in, if all is well, is
  // as long as it would have been with these.
  void follow(Duration before) noexcept;

 private:
  std::uint32_t in_flight_wanted() const noexcept;
  void grow_backoff(Duration longest) noexcept;
  void answered() noexcept;
  bool failed(Instant started, Instant now) noexcept;
  bool refused(Instant started, Instant now, std::optional<Duration> retry_after) noexcept;

  const PolitenessOptions* options_;
  Instant ready_at_ = Instant::min();
  Instant last_trouble_ = Instant::min();
  Instant down_since_ = Instant::min();  // its first failure since the last answer
  Duration last_took_ = Duration::zero();
  Duration crawl_delay_ = Duration::zero();
  Duration backoff_ = Duration::zero();   // since the last answer there were failures
  Duration throttle_ = Duration::zero();  // learned from refusals; forgotten slowly
  std::uint32_t in_flight_ = 0;
  std::uint32_t room_made_ = 0;  // failures take half of it away
  std::uint16_t failures_ = 0;
  std::uint16_t refusals_ = 0;
  bool is_own_ = false;
  bool has_answered_ = false;
  bool asks_too_long_ = false;  // its last refusal did
};

// A gap between requests that many hosts share: those of one address, or all of a crawl. Hosts
// that come too early are given one moment each, so that they need not try again and again.
class SharedGap {
 public:
  // A request may start now.
  bool is_free(Instant now, Duration gap) const noexcept { return earliest(gap) <= now; }
  void start(Instant now, Duration gap) noexcept;
  // When to come back. REQUIRES: it is not free.
  Instant reserve(Instant now, Duration gap) noexcept;
  // Those who were given a moment will ask anew.
  void forget_reservations() noexcept { next_free_ = Instant::min(); }

 private:
  Instant earliest(Duration gap) const noexcept {
    return last_start_ == Instant::min() ? last_start_ : base::add_saturating(last_start_, gap);
  }

  Instant last_start_ = Instant::min();
  Instant next_free_ = Instant::min();
};

}  // namespace gossamer::crawler
