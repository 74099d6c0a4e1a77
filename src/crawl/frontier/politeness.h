// Decides when the next request to a host is allowed. The caller passes the time.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

namespace gossamer::crawler {

struct PolitenessOptions {
  // Least time between two requests to one host. Empty: `latency_factor` times the duration of the
  // last fetch, within delay_min and delay_max, and none for local hosts.
  std::optional<Duration> delay;
  Duration delay_min = 1s;
  Duration delay_max = 30s;
  std::uint32_t latency_factor = 10;
  // Requests in flight to one host. Empty: 1; for local hosts and with a delay of zero,
  // own_concurrency.
  std::optional<std::uint32_t> host_concurrency;
  std::uint32_t own_concurrency = 64;
  // A host starts with this many, and gets one more with each response while we are not busy: small
  // servers drop connections that arrive together.
  std::uint32_t concurrency_first = 4;
  // Least time between the starts of two requests to one address, whatever the host names. It does
  // not apply to local addresses.
  Duration address_gap = 500ms;
  // A host whose Crawl-delay is longer is skipped, because crawling it faster would be impolite.
  Duration crawl_delay_max = 300s;
  // A host whose Retry-After is longer is parked.
  Duration wait_max = 1h;
  // The maximum of Retry-After.
  Duration retry_after_max = 24h;
  // The pause after a failure; it doubles with each further one in a row.
  Duration backoff_first = 1s;
  Duration own_backoff_first = 100ms;
  Duration backoff_max = 1h;
  // A host that never answered is parked after this many failures in a row (timeouts, broken
  // connections, 502 and 504).
  std::uint32_t failures_max = 5;
  // A host that answered before and stops answering is down. It is probed, one request at a time,
  // until it answers or has been down for this long; then it is parked.
  Duration outage_max = 5min;
  // The longest pause between two probes.
  Duration probe_gap_max = 30s;
  // A host is also parked after this many refusals in a row (429, 503).
  std::uint32_t refusals_max = 12;
  // After this many, robots.txt shows whether the host answers at all, if it answered at least
  // `answers_per_broken_page` pages for each that is left, and fewer are left than park it.
  std::uint32_t refusals_probed = 3;
  std::uint32_t answers_per_broken_page = 10;
};

// The result of a request for politeness.
enum class HostSign : std::uint8_t {
  none,  // no request was sent
  answered,
  alive,        // it answered, but not with a page, so its pages may still be refused
  erred,        // 500 and similar: it answers, but is in trouble
  unavailable,  // 503: it is overloaded, or only this page is broken
  broken_page,  // 503 again, although other pages were answered in between
  refused,      // 429: it is overloaded
  failed,       // no response
};

// Why a host is parked.
enum class ParkReason : std::uint8_t {
  silent,        // it did not answer for too long
  refusing,      // it sent too many 429 or 503 in a row
  asks_to_wait,  // for longer than PolitenessOptions::wait_max
};

// The part of a host's pace that is stored for the next process.
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

// The pace of one host: when its next request may start, and how many may be in flight.
class HostPace {
 public:
  // BORROWS: the options.
  explicit HostPace(const PolitenessOptions& options) noexcept : options_(&options) {}

  // True for local hosts.
  void set_own(bool is_own) noexcept { is_own_ = is_own; }
  bool is_own() const noexcept { return is_own_; }
  // REQUIRES: not more than PolitenessOptions::crawl_delay_max.
  void set_crawl_delay(Duration delay) noexcept { crawl_delay_ = delay; }

  // True if it failed more than once since its last response; then it is probed.
  bool is_down() const noexcept { return failures_ > 1; }
  // True if it requested a pause until ready_at(), or refuses without a time.
  bool is_refusing() const noexcept { return refusals_ > 0; }
  // True if it requested a pause: its last refusal has a Retry-After.
  bool asks_to_wait() const noexcept { return refusals_ > 0 && asks_; }
  std::uint32_t refusals() const noexcept { return refusals_; }  // since its last response
  std::uint32_t answers() const noexcept { return answers_; }    // in all
  // The start of the last request that was answered; and of those, of the last that was a page.
  Instant last_alive() const noexcept { return last_alive_; }
  Instant last_good() const noexcept { return last_good_; }
  // The pause before a page that was refused `tries` times, while its host answers others.
  Duration pause_of_page(std::uint32_t tries) const noexcept;
  // A refusal was the fault of its page, so it must not slow the host down.
  void clear_of_page() noexcept;
  // A page that was refused is answered now, so the fault was the host's.
  void trust_pages() noexcept { broken_pages_ = 0; }
  // REQUIRES: finish() returned true.
  ParkReason park_reason() const noexcept;
  std::uint32_t failures() const noexcept { return failures_; }  // since its last response

  std::uint32_t in_flight() const noexcept { return in_flight_; }
  std::uint32_t in_flight_max() const noexcept;
  bool has_room() const noexcept { return in_flight_ < in_flight_max(); }
  Instant ready_at() const noexcept { return ready_at_; }
  // The current pause between two requests.
  Duration delay() const noexcept;

  // REQUIRES: has_room().
  void start(Instant now) noexcept;
  // A response arrived while we are not busy: one more request may be in flight.
  void make_room() noexcept {
    if (room_made_ < in_flight_wanted()) ++room_made_;
  }
  // A request that start() counted has ended. Returns true if the host failed so often that it must
  // be parked. `took` is the time until the response.
  [[nodiscard]] bool finish(Instant started, Duration took, Instant now, HostSign sign,
                            std::optional<Duration> retry_after = std::nullopt) noexcept;
  PaceMemory memory() const noexcept {
    return {ready_at_, last_took_, crawl_delay_, backoff_,     throttle_,
            failures_, refusals_,  is_own_,      has_answered_};
  }
  // The requests in flight at the end are unknown, so the host gets a pause now.
  // REQUIRES: no request to the host yet.
  void recall(const PaceMemory& memory, Instant now) noexcept;
  // Undoes start(): no request was sent.
  void withdraw() noexcept { --in_flight_; }
  void pause_until(Instant when) noexcept {
    if (when > ready_at_) ready_at_ = when;
  }
  // The pause between two requests without failures.
  Duration spacing() const noexcept;
  // The options have changed; spacing() was `before`. Adjusts the current pause to the new options,
  // unless it follows a failure.
  void follow(Duration before) noexcept;

 private:
  std::uint32_t in_flight_wanted() const noexcept;
  void grow_backoff(Duration longest) noexcept;
  void answered(Instant started) noexcept;
  bool failed(Instant started, Instant now) noexcept;
  bool refused(Instant started, Instant now, std::optional<Duration> retry_after,
               bool may_be_page) noexcept;
  Duration backoff_first() const noexcept;

  const PolitenessOptions* options_;
  Instant ready_at_ = Instant::min();
  Instant last_trouble_ = Instant::min();
  Instant down_since_ = Instant::min();  // its first failure since the last response
  Instant last_alive_ = Instant::min();
  Instant last_good_ = Instant::min();
  Duration last_took_ = Duration::zero();
  Duration crawl_delay_ = Duration::zero();
  Duration backoff_ = Duration::zero();   // the pause after failures since the last response
  Duration throttle_ = Duration::zero();  // learned from refusals; forgotten slowly
  std::uint32_t answers_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t room_made_ = 0;  // failures halve it
  std::uint16_t failures_ = 0;
  std::uint16_t refusals_ = 0;
  std::uint16_t broken_pages_ = 0;  // that explained its last refusals
  bool is_own_ = false;
  bool has_answered_ = false;
  bool is_alive_ = false;       // it answered since its first refusal
  bool asks_ = false;           // its last refusal requested a pause
  bool asks_too_long_ = false;  // and too long a one
};

// A gap between requests that many hosts share: those of one address, or all of a crawl. Each host
// that comes too early gets its own time, so that it need not retry often.
class SharedGap {
 public:
  // True if a request may start now.
  bool is_free(Instant now, Duration gap) const noexcept { return earliest(gap) <= now; }
  void start(Instant now, Duration gap) noexcept;
  // Returns when to come back. REQUIRES: it is not free.
  Instant reserve(Instant now, Duration gap) noexcept;
  // Forgets the reserved times; the hosts will retry.
  void forget_reservations() noexcept { next_free_ = Instant::min(); }

 private:
  Instant earliest(Duration gap) const noexcept {
    return last_start_ == Instant::min() ? last_start_ : base::add_saturating(last_start_, gap);
  }

  Instant last_start_ = Instant::min();
  Instant next_free_ = Instant::min();
};

}  // namespace gossamer::crawler
