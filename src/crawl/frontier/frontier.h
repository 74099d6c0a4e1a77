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
// The frontier claims, and joins its parts: HostTurns says whose turn it is, OriginQueues has what
// is queued per origin, HostMemory which hosts are in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "async/event.h"
#include "async/loop.h"
#include "async/queued_wait.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/frontier/backlog.h"
#include "crawl/frontier/claim.h"
#include "crawl/frontier/deeper_targets.h"
#include "crawl/frontier/frontier_options.h"
#include "crawl/frontier/host_memory.h"
#include "crawl/frontier/host_turns.h"
#include "crawl/frontier/origin.h"
#include "crawl/frontier/origin_queues.h"
#include "crawl/frontier/politeness.h"
#include "crawl/frontier/seen_set.h"
#include "crawl/frontier/shared_pauses.h"
#include "crawl/frontier/stored_count.h"
#include "crawl/frontier/target.h"
#include "crawl/shards/open_work.h"
#include "crawl/statistics.h"
#include "url/url.h"

namespace gossamer::crawler {

enum class Discovery : std::uint8_t {
  added,
  seen,    // not for the first time
  closed,  // for the first time, but nothing more is fetched from its origin
};

// What the frontiers of one crawl have in common, each on its own loop.
struct FrontierShare {
  explicit FrontierShare(const FrontierOptions& options)
      : work(options.pages_max, options.is_level_by_level),
        pauses(options.politeness.address_gap, options.global_gap) {}

  OpenWork work;
  SharedPauses pauses;
};

// For one loop, in memory. With a backlog only the heads of the queues are, and of the hosts as
// many as FrontierOptions::host_bytes_max has room for.
class Frontier final : private OriginEvents {
 public:
  // With `share`, one of several of a crawl; with `backlog`, what waits is kept there, and what an
  // earlier process kept is there from the beginning. BORROWS: the loop and the backlog.
  Frontier(async::Loop& loop, FrontierOptions options,
           std::shared_ptr<FrontierShare> share = nullptr, Backlog* backlog = nullptr);
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;
  // REQUIRES: no claim is held, no claim() waits.
  ~Frontier();

  // Adds a URL unless one with its fingerprint was added before: tested and marked in one step.
  // `facts` is the target without its URL; `counts` have changed because of it, and are kept if and
  // only if it is. REQUIRES: http or https, without credentials.
  Discovery discover(const url::Url& url, std::uint64_t fingerprint, Target facts,
                     std::span<const StoredCount> counts = {});
  // The same for one that has been added before: it goes through the queue once more.
  void discover_again(const url::Url& url, Target facts);
  // Whether discover() would call it seen.
  bool knows(std::uint64_t fingerprint, std::uint16_t depth) const {
    return seen_.contains(fingerprint) && !deeper_.comes_nearer(fingerprint, depth);
  }
  // Something of this host was added before.
  bool knows_host(std::string_view hostname) const { return hosts_.knows_host(hostname); }
  // The rules of a URL's origin, if they are known already.
  const OriginRules* rules_for(const url::Url& url) const;
  // Why an origin is closed. REQUIRES: discover() said `closed`.
  const OriginEnd& end_of(const url::Url& url) const;

  // The next piece of work, once there is one. Fails with Errc::closed after close(), and with
  // Errc::cancelled.
  async::Task<Result<Claim>> claim();
  // There is something to claim right now.
  bool has_ready() const { return turns_.has_next(); }
  // Called when there is something to claim and nobody waits for it: another worker is wanted.
  void on_unclaimed(std::move_only_function<void()> callback) {
    on_unclaimed_ = std::move(callback);
  }

  // The ends of a claim.
  // Work::resolve: where the origin is, and whether that is this machine or the local network.
  // Nothing: not known, and not needed.
  void resolved(Claim claim, const std::optional<async::Endpoint>& address, bool is_own);
  // Work::robots.
  void has_rules(Claim claim, OriginRules rules, Duration crawl_delay);
  // Work::page. True: the host failed so often that the caller should park it.
  [[nodiscard]] bool finish(Claim claim, HostSign sign, std::optional<Duration> retry_after);
  // Work::page that must not be fetched after all: it has ended without a request.
  void skip(Claim claim);
  // Any work: to be claimed again, later, with the tries that the target says by now.
  [[nodiscard]] bool retry(Claim claim, HostSign sign, std::optional<Duration> retry_after);
  // Without an end: what ~Claim() does.
  void abandon(Claim& claim) noexcept;

  // Nothing more is fetched from the claim's origin, or at all, so retry() is not for it.
  bool is_closed(const Claim& claim) const {
    return turns_.is_closed() || claim.origin_->stage == OriginStage::closed;
  }
  // is_closed(), but for another process: a claim that is given up comes back there.
  bool is_kept(const Claim& claim) const {
    return keeps_waiting() || queues_.is_set_aside(*claim.origin_);
  }
  // The claim's origin has answered before, so it is down rather than not there.
  bool has_answered(const Claim& claim) const;
  // It failed since its last answer, and robots.txt can tell whether the host or the page is at
  // fault: probe() has it fetched before the next page.
  bool may_be_down(const Claim& claim) const;
  void probe(const Claim& claim) { claim.origin_->is_probed = true; }
  // As Claim::read_url().
  [[nodiscard]] url::UrlFailure read_url(const Target& target, url::Url& url);

  // Nothing more is fetched from an origin (park: from all origins of its host). What waits there
  // is handed to `drop`, target by target; or, with OriginEnd::may_pass and a backlog, stays there
  // with all that is found later.
  void close_origin(std::string_view origin, OriginEnd end, DropTarget drop);
  void park_host(std::string_view origin, OriginEnd end, DropTarget drop);
  // Why the host of an origin is to be parked. REQUIRES: finish() or retry() said that it is.
  ParkReason park_reason(std::string_view origin) const;
  // A target that was handed over has its record by now.
  void settle(const Target& target) { queues_.settle(target); }

  // Steering, while the crawl runs.
  // Hands out nothing while so many claims are held: 0 is a pause. From the beginning there is no
  // such limit.
  void set_claims_max(std::size_t claims_max);
  // These pauses hold from now on, also for hosts that are resting. Those that a host asked for, or
  // earned by failing, stay.
  void set_pace(const PolitenessOptions& politeness, Duration global_gap);
  // Nothing more is fetched from a host, known or not: as park_host().
  void block_host(std::string_view hostname, OriginEnd end, DropTarget drop);

  // Of several loops of a crawl: what is found of another one's sites goes there.
  // From now on the target is not lost if the process dies on the way. Gives its ticket, which the
  // other side ends with settle(); 0: nothing is kept.
  std::uint64_t send(std::optional<std::uint64_t> fingerprint, const Target& target) {
    return backlog_ == nullptr ? 0 : backlog_->send(fingerprint, target);
  }
  // What an earlier process left on its way to this one, with its tickets.
  struct Undelivered {
    Target target;
    bool is_again = false;  // for discover_again()
  };
  std::vector<Undelivered> take_undelivered() { return std::exchange(undelivered_, {}); }
  // What limits and guards had counted there.
  std::vector<StoredCount> take_counts() { return std::exchange(counts_, {}); }

  // It has been closed, and what waits is there when another process resumes; so is what was
  // claimed and is given up. drain() hands over nothing.
  bool keeps_waiting() const { return backlog_ != nullptr && turns_.is_closed(); }
  // No further claims; those who wait for one are told. What is claimed may still be finished.
  void close();
  // Hands over all that is waiting. REQUIRES: close() was called.
  void drain(std::move_only_function<void(Target target)> take);
  // Until nothing is waiting or claimed. Fails with Errc::cancelled only.
  async::Task<Result<void>> join();

  // From now on hosts that are found may take about so many bytes. Beyond that `on_full` is called,
  // once.
  void limit_hosts(std::uint64_t bytes_max, std::move_only_function<void()> on_full) {
    hosts_.limit(bytes_max, std::move(on_full));
  }
  // They have taken more, and there is nowhere else to put them.
  bool has_no_room() const { return hosts_.has_no_room(); }
  // Called when as many targets have been claimed as were allowed, all of these have ended, and
  // others wait.
  void on_spent(std::move_only_function<void()> callback) { on_spent_ = std::move(callback); }

  std::size_t waiting() const { return queues_.waiting(); }  // targets in queues
  std::size_t claimed() const { return claimed_; }           // targets in hands
  std::size_t seen() const { return seen_.size(); }          // URLs ever added
  std::size_t hosts() const { return hosts_.size(); }
  std::size_t hosts_in_memory() const { return hosts_.in_memory(); }
  // What is known of a host; nullptr: nothing.
  const HostPace* pace_of(std::string_view hostname) const;
  // Hosts that are down or asked for a long pause, those with the longest pauses first.
  std::vector<HostPause> pauses(std::size_t count_max) const { return turns_.pauses(count_max); }
  // Of origins that were closed with OriginEnd::may_pass.
  Unreached unreached() const { return unreached_; }
  std::size_t memory_bytes() const { return seen_.memory_bytes() + hosts_.memory_bytes(); }

 private:
  class ClaimWait;

  void recall();
  void add(Origin* origin, const url::Url& url, std::optional<std::uint64_t> fingerprint,
           Target target, std::span<const StoredCount> counts);

  // Puts the origin where it belongs now.
  void place(Origin& origin);
  void place_host(Host& host);
  void wake(Origin& origin) noexcept override;
  void come_back(Origin& origin) override;
  // There is something to claim, and nobody who waits for it.
  void want_worker();
  // Claims of origins in the line, as long as there is somebody who waits for one.
  void serve();
  std::optional<Claim> next_claim();
  Claim claim_preparation(Origin& origin, Work work, Instant now);
  std::optional<Claim> claim_from(Origin& origin, Instant now);
  // The next target of the origin, if its level has been reached.
  std::optional<Target> take_target(Origin& origin);

  Origin& release(Claim& claim) noexcept;
  // A claim has ended: its host has room again. True: the host is to be parked.
  bool end_request(Origin& origin, const Claim& claim, HostSign sign,
                   std::optional<Duration> retry_after);
  // All is done, or a level is, or all pages are spent, or there are some again.
  void work_changed();

  Origin& origin_named(std::string_view name) const;
  void drain(Origin& origin, OriginEnd end, DropTarget& drop);
  // A host counts as unreached if URLs of it are.
  void count_unreached(const Origin& origin, std::uint64_t& urls, std::uint64_t count = 1);

  async::Loop& loop_;
  FrontierOptions options_;
  const std::shared_ptr<FrontierShare> share_;
  Backlog* const backlog_;  // nullptr: none
  SeenSet seen_;
  HostTurns turns_;
  OriginQueues queues_;
  HostMemory hosts_;
  DeeperTargets deeper_;
  Unreached unreached_;
  std::vector<Undelivered> undelivered_;
  std::vector<StoredCount> counts_;  // that were recalled and not taken yet
  url::Url last_read_;               // those that follow mostly have its host

  async::WaitList claimers_;
  bool is_serving_ = false;
  std::size_t claimed_ = 0;
  std::move_only_function<void()> on_unclaimed_;
  std::move_only_function<void()> on_spent_;
  async::Event is_idle_;
  OpenWork::Listener listener_;
};

}  // namespace gossamer::crawler
