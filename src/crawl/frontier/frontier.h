// What is still to be done, and whose turn it is.
//
//   found      discover()  a URL that was never seen goes into the queue of its origin
//   waiting                an origin stands in line until its host may be asked again
//   claimed    claim()     a worker has it
//   finished   finish()    ... and is done with it; or retry(): back into the queue
//
// An origin that is new must first be found in the DNS and say what robots.txt allows, so the
// first claims of an origin are for that, and no page of it is claimed before.
//
// The port is narrow, so that a durable frontier and a shared one can stand in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/error.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/frontier/kept_count.h"
#include "crawl/frontier/politeness.h"
#include "crawl/frontier/target.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/statistics.h"
#include "http/exchange_step.h"
#include "robots/robots.h"
#include "url/url.h"

namespace gossamer::crawler {

// What a claim is for.
enum class Work : std::uint8_t {
  resolve,  // find the origin's address
  robots,   // fetch its robots.txt
  page,     // fetch the target
};

// robots.txt of an origin, and how long it holds.
struct OriginRules {
  robots::Robots robots;
  Instant good_until = base::kNever;
  std::optional<std::string> source = {};  // as it came, if it came just now
};

// Why nothing more is asked of an origin: a failure, with which each of its targets is recorded,
// or a reason to skip them.
struct OriginEnd {
  SkipReason reason = SkipReason::none;  // none: the failure
  Errc failure = Errc::internal;
  std::string detail;
  // It may be over for another process. With a backlog its targets stay there for that.
  bool may_pass = false;
};

// The end of an origin whose host is parked. `wait_max` is the longest wait that we are ready for.
OriginEnd end_of_parked(ParkReason reason, Duration wait_max);

enum class Discovery : std::uint8_t {
  added,
  seen,    // not for the first time
  closed,  // for the first time, but nothing more is asked of its origin
};

// A host that makes us wait, with URLs in its queue.
struct HostPause {
  std::string host;
  Instant until = {};
  bool is_silent = false;  // it does not answer; else it asked us to wait
};

class Frontier;

// One piece of work, held by one worker. Destroying it without an end gives it up.
class [[nodiscard]] Claim {
 public:
  Claim() = default;  // of nothing
  Claim(Claim&& other) noexcept
      : work(other.work),
        step(other.step),
        body_bytes(other.body_bytes),
        started(other.started),
        took(other.took),
        target(std::move(other.target)),
        frontier_(std::exchange(other.frontier_, nullptr)),
        origin_(other.origin_) {}
  Claim& operator=(Claim&&) = delete;
  ~Claim() { give_up(); }

  // Ends it without an end. No-op when it is not held.
  void give_up() noexcept;

  Work work = Work::page;
  // How far its holder has come with a page, for whoever looks on.
  http::ExchangeStep step = http::ExchangeStep::begun;
  std::uint32_t body_bytes = 0;  // received so far; from 4 GiB on it says no more
  Instant started = {};
  // Until the answer was there, if its holder did something else after that; negative: until now.
  Duration took = Duration(-1);
  Target target;  // of a page; for other work only `tries` has a meaning

  // It has not ended, nor been handed on.
  bool is_held() const { return frontier_ != nullptr; }
  // REQUIRES, for all of them: is_held().
  // Of what is claimed: "https://example.com". BORROWS: while the claim is held.
  std::string_view origin() const;
  // Nothing while they are not known.
  const OriginRules* rules() const;
  // The URL of a page, as Url::assign() reads it, but quicker.
  [[nodiscard]] url::UrlFailure read_url(url::Url& url) const;

 private:
  friend class Frontier;
  friend class MemoryFrontier;
  Claim(Frontier& frontier, void* origin, Work kind, Instant now) noexcept
      : work(kind), started(now), frontier_(&frontier), origin_(origin) {}

  Frontier* frontier_ = nullptr;
  void* origin_ = nullptr;  // the frontier knows what it is
};

class Frontier {
 public:
  Frontier() = default;
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;
  virtual ~Frontier() = default;

  // Adds a URL unless one with its fingerprint was added before: tested and marked in one step.
  // `facts` is the target without its URL; `counts` have changed because of it, and are kept if and
  // only if it is. REQUIRES: http or https, without credentials.
  virtual Discovery discover(const url::Url& url, std::uint64_t fingerprint, Target facts,
                             std::span<const KeptCount> counts) = 0;
  Discovery discover(const url::Url& url, std::uint64_t fingerprint, Target facts) {
    return discover(url, fingerprint, std::move(facts), {});
  }
  // The same for one that has been added before: it goes through the queue once more.
  virtual void discover_again(const url::Url& url, Target facts) = 0;
  // Whether discover() would call it seen.
  virtual bool knows(std::uint64_t fingerprint, std::uint16_t depth) const = 0;
  // Something of this host was added before.
  virtual bool knows_host(std::string_view hostname) const = 0;
  // The rules of a URL's origin, if they are known already.
  virtual const OriginRules* rules_for(const url::Url& url) const = 0;
  // Why an origin is closed. REQUIRES: discover() said `closed`.
  virtual const OriginEnd& end_of(const url::Url& url) const = 0;

  // The next piece of work, once there is one. Fails with Errc::closed after close(), and with
  // Errc::cancelled.
  virtual async::Task<Result<Claim>> claim() = 0;
  // Somebody could claim something right now.
  virtual bool has_ready() const = 0;
  // Called when there is something to claim and nobody waits for it: another worker is wanted.
  virtual void on_unclaimed(std::move_only_function<void()> callback) = 0;

  // The ends of a claim.
  // Work::resolve: where the origin is, and whether that is the own machine or network. Nothing:
  // not known, and not needed.
  virtual void resolved(Claim claim, const std::optional<async::Endpoint>& address,
                        bool is_own) = 0;
  // Work::robots.
  virtual void has_rules(Claim claim, OriginRules rules, Duration crawl_delay) = 0;
  // Work::page. True: the host failed so often that the caller should park it.
  [[nodiscard]] virtual bool finish(Claim claim, HostSign sign,
                                    std::optional<Duration> retry_after) = 0;
  // Work::page that nobody may ask for after all: it has ended without a request.
  virtual void skip(Claim claim) = 0;
  // Any work: to be claimed again, later, with the tries that the target says by now.
  [[nodiscard]] virtual bool retry(Claim claim, HostSign sign,
                                   std::optional<Duration> retry_after) = 0;
  // Nothing more is asked of the claim's origin, or at all, so retry() is not for it.
  virtual bool is_closed(const Claim& claim) const = 0;
  // is_closed(), but for another process: a claim that is given up comes back there.
  virtual bool is_kept(const Claim& claim) const = 0;
  // The claim's origin has answered before, so it is down rather than not there.
  virtual bool has_answered(const Claim& claim) const = 0;
  // It failed since its last answer, and robots.txt can tell whether the host or the page is at
  // fault: probe() has it fetched before the next page.
  virtual bool may_be_down(const Claim& claim) const = 0;
  virtual void probe(const Claim& claim) = 0;
  // Nothing more is asked of an origin (park: of all origins of its host). What waits there is
  // handed to `drop`, target by target; or, with OriginEnd::may_pass and a backlog, stays there
  // with all that is found later.
  using Drop = std::move_only_function<void(Target target, const OriginEnd& end)>;
  virtual void close_origin(std::string_view origin, OriginEnd end, Drop drop) = 0;
  virtual void park_host(std::string_view origin, OriginEnd end, Drop drop) = 0;

  // For whoever steers a crawl that runs.
  // Hands out nothing while so many claims are held: 0 is a pause. From the beginning there is no
  // such limit.
  virtual void set_claims_max(std::size_t claims_max) = 0;
  // These pauses hold from now on, also for hosts that are resting. Those that a host asked for, or
  // earned by failing, stay.
  virtual void set_pace(const PolitenessOptions& politeness, Duration global_gap) = 0;
  // Nothing more is asked of a host, known or not: as park_host().
  virtual void block_host(std::string_view hostname, OriginEnd end, Drop drop) = 0;

  // Of several loops of a crawl: what is found of another one's sites goes there.
  // From now on the target is not lost if the process dies on the way. Gives its ticket, which the
  // other side ends with settle(); 0: nothing is kept.
  virtual std::uint64_t send(std::optional<std::uint64_t> /*fingerprint*/,
                             const Target& /*target*/) {
    return 0;
  }
  // What an earlier process left on its way to this one, with its tickets.
  struct Letter {
    Target target;
    bool is_again = false;  // for discover_again()
  };
  virtual std::vector<Letter> take_letters() { return {}; }
  // What limits and guards had counted there.
  virtual std::vector<KeptCount> take_counts() { return {}; }

  // It has been closed, and what waits is there when another process goes on; so is what was
  // claimed and is given up. drain() hands over nothing.
  virtual bool keeps_waiting() const { return false; }
  // A target that close_origin(), park_host() or block_host() handed over has its record by now.
  virtual void settle(const Target& /*target*/) {}

  // No further claims; who waits for one is told. What is claimed may still be finished.
  virtual void close() = 0;
  // Hands over all that is waiting. REQUIRES: close() was called.
  virtual void drain(std::move_only_function<void(Target target)> take) = 0;
  // Until nothing is waiting or claimed. Fails with Errc::cancelled only.
  virtual async::Task<Result<void>> join() = 0;

  // From now on hosts that are found may take about so many bytes. Beyond that `on_full` is called,
  // once.
  virtual void limit_hosts(std::uint64_t bytes_max, std::move_only_function<void()> on_full) = 0;
  // They have taken more, and there is nowhere else to put them.
  virtual bool has_no_room() const = 0;

  // Called when as many targets have been claimed as were allowed, all of these have ended, and
  // others wait.
  virtual void on_spent(std::move_only_function<void()> callback) = 0;
  virtual std::size_t waiting() const = 0;  // targets in queues
  virtual std::size_t claimed() const = 0;  // targets in hands
  virtual std::size_t hosts() const = 0;
  // Hosts that are down or asked for a long pause, those with the longest pauses first.
  virtual std::vector<HostPause> pauses(std::size_t count_max) const = 0;
  // Why the host of an origin is to be parked. REQUIRES: finish() or retry() said that it is.
  virtual ParkReason park_reason(std::string_view origin) const = 0;
  // Of origins that were closed with OriginEnd::may_pass.
  virtual Unreached unreached() const = 0;
  virtual std::size_t memory_bytes() const = 0;

 protected:
  friend class Claim;
  virtual void abandon(Claim& claim) noexcept = 0;
  virtual std::string_view origin_of(const Claim& claim) const = 0;
  virtual const OriginRules* rules_of(const Claim& claim) const = 0;

 private:
  // The last that was read from a claim: those that follow mostly have its host.
  url::Url last_read_;
};

inline void Claim::give_up() noexcept {
  if (frontier_ != nullptr) frontier_->abandon(*this);
}
inline std::string_view Claim::origin() const { return frontier_->origin_of(*this); }
inline const OriginRules* Claim::rules() const { return frontier_->rules_of(*this); }

// The origin of a URL as it stands in it: "https://example.com:8443".
// REQUIRES: http or https, without credentials. BORROWS: from the URL.
std::string_view origin_text(const url::Url& url) noexcept;

}  // namespace gossamer::crawler
