// The queue of the crawl: what to fetch, and when.
//
//   found      discover()  a new URL goes into the queue of its origin
//   waiting                an origin waits until a request to its host is allowed
//   claimed    claim()     a worker fetches it
//   finished   finish()    the worker is done; or retry(): back into the queue
//
// A new origin must first be resolved and its robots.txt fetched. These are the first claims of an
// origin; its pages are claimed after that.
//
// The frontier connects its parts: HostTurns decides which origin is next, OriginQueues holds the
// queue of each origin, and HostMemory keeps hosts in memory.
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
#include "frontier/backlog.h"
#include "frontier/claim.h"
#include "frontier/deeper_targets.h"
#include "frontier/frontier_options.h"
#include "frontier/host_memory.h"
#include "frontier/host_turns.h"
#include "frontier/open_work.h"
#include "frontier/origin.h"
#include "frontier/origin_queues.h"
#include "frontier/politeness.h"
#include "frontier/shared_pauses.h"
#include "frontier/target.h"
#include "frontier/url_reader.h"
#include "record/statistics.h"
#include "scope/link_rule.h"
#include "scope/seen_set.h"
#include "scope/stored_count.h"
#include "url/url.h"

namespace gossamer::crawler {

// The state that the frontiers of one crawl share, each on its own loop.
struct FrontierShare {
  explicit FrontierShare(const FrontierOptions& options)
      : work(options.pages_max, options.is_level_by_level),
        pauses(options.politeness.address_gap, options.global_gap) {}

  OpenWork work;
  SharedPauses pauses;
};

// Where the targets of a frontier come from; at most one is given.
struct FrontierSource {
  Backlog* backlog = nullptr;  // the queue is stored there, with that of an earlier process
  WorkLog* leases = nullptr;   // hosts are leased, and the lessor knows which URLs were seen
};

// The frontier of one loop, in memory. With a backlog, only the heads of the queues are in memory,
// and as many hosts as FrontierOptions::host_bytes_max allows.
class Frontier final : private OriginEvents {
 public:
  // With `share`, it is one of several of a crawl. BORROWS: the loop and the source.
  Frontier(async::Loop& loop, FrontierOptions options,
           std::shared_ptr<FrontierShare> share = nullptr, FrontierSource source = {});
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;
  // REQUIRES: no claim is held, no claim() waits.
  ~Frontier();

  // Adds a URL unless its fingerprint was added before; test and mark are one step. `facts` is the
  // target without its URL. `counts` changed because of it; they are stored if and only if the URL
  // is. REQUIRES: http or https, without credentials.
  Verdict discover(const url::Url& url, std::uint64_t fingerprint, Target facts,
                   std::span<const StoredCount> counts = {});
  // Queues a URL again that was added before.
  void discover_again(const url::Url& url, Target facts);
  // A guess is a link of a page, too.
  void note_linked(const url::Url& url, std::uint64_t fingerprint) {
    if (backlog_ != nullptr) backlog_->note_linked(origin_text(url), fingerprint);
  }
  // Stores what was discovered so far: a large page must not keep all its links in memory until its
  // end.
  void store_links() {
    if (backlog_ != nullptr) backlog_->commit();
  }
  // Returns the ticket for a further fetch on behalf of a claimed target.
  std::uint64_t follow_up(const Target& target) {
    return log_ == nullptr || target.ticket == 0 ? 0 : log_->follow_up(target.ticket);
  }
  // True if discover() would return `seen`.
  bool knows(std::uint64_t fingerprint, std::uint16_t depth) const {
    return seen_.contains(fingerprint) && !deeper_.comes_nearer(fingerprint, depth);
  }
  // True if a URL of this host was added before.
  bool knows_host(std::string_view hostname) const { return hosts_.knows_host(hostname); }
  // The rules of a URL's origin, if they are in memory.
  const OriginRules* rules_for(const url::Url& url) const {
    const Origin* const origin = hosts_.find(url);
    const bool is_there = origin != nullptr && origin->rules && !origin->rules->are_away;
    return is_there ? origin->rules.get() : nullptr;
  }
  // See Claim::rules().
  const OriginRules* rules_of(Origin& origin) { return hosts_.rules_of(origin); }
  // Why an origin is closed. REQUIRES: discover() returned `closed`.
  const OriginEnd& end_of(const url::Url& url) const;

  // The first targets are queued: the lowest of their depths is the first level.
  void has_begun() {
    share_->work.begin_at_level();
    work_changed();
  }
  // Waits for the next piece of work. Fails with Errc::closed after close(), and with
  // Errc::cancelled.
  async::Task<Result<Claim>> claim();
  // True if there is something to claim now.
  bool has_ready() const { return turns_.has_next(); }
  // Called when there is something to claim and no worker waits: start another worker.
  void on_unclaimed(std::move_only_function<void()> callback) {
    on_unclaimed_ = std::move(callback);
  }

  // The ends of a claim.
  // Work::resolve: the address of the origin, and whether it is this machine or the local network.
  // Empty: unknown, and not needed.
  void resolved(Claim claim, const std::optional<async::Endpoint>& address, bool is_own);
  // Work::robots.
  // `source` is the text of the rules, if it was just fetched.
  void has_rules(Claim claim, OriginRules rules, Duration crawl_delay,
                 const std::optional<std::string>& source = {});
  // Work::page. Returns true if the host failed so often that the caller should park it.
  [[nodiscard]] bool finish(Claim claim, HostSign sign, std::optional<Duration> retry_after);
  // Work::page that must not be fetched: it ends without a request.
  void skip(Claim claim);
  // Any work: queues it again, with the current tries of the target.
  [[nodiscard]] bool retry(Claim claim, HostSign sign, std::optional<Duration> retry_after);
  // Gives the claim up, as ~Claim() does.
  void abandon(Claim& claim) noexcept;

  // True if the claim's origin or the frontier is closed, so retry() is not possible.
  bool is_closed(const Claim& claim) const {
    return turns_.is_closed() || claim.origin_->stage == OriginStage::closed;
  }
  // True if it is closed, but a later process will fetch a claim that is given up.
  bool is_kept(const Claim& claim) const {
    return keeps_waiting() || queues_.is_set_aside(*claim.origin_);
  }
  // True if the claim's origin has answered before, so it is down rather than nonexistent.
  bool has_answered(const Claim& claim) const {
    // Not any origin of the host: its other ports may be closed.
    return claim.origin_->has_answered || claim.origin_->host.was_heard;
  }
  // True if it failed since its last response, and robots.txt can show whether the host or the page
  // is at fault: probe() fetches it before the next page.
  bool may_be_down(const Claim& claim) const {
    return options_.probes_robots && has_answered(claim) && claim.origin_->host.pace.failures() > 0;
  }
  void probe(const Claim& claim) { claim.origin_->is_probed = true; }
  // See Claim::read_url().
  [[nodiscard]] url::UrlFailure read_url(const Target& target, url::Url& url) {
    return reader_.read(target.url, url);
  }

  // Closes an origin (park: all origins of its host). Passes its queued targets to `drop`, one by
  // one. With OriginEnd::may_pass and a backlog, they and later ones stay stored instead.
  void close_origin(std::string_view origin, OriginEnd end, DropTarget drop);
  void park_host(std::string_view origin, OriginEnd end, DropTarget drop);
  // Why the host of an origin must be parked. REQUIRES: finish() or retry() returned true.
  ParkReason park_reason(std::string_view origin) const {
    return origin_named(origin).host.pace.park_reason();
  }
  // A target that was passed to `drop` has its record now.
  void settle(const Target& target) { queues_.settle(target); }

  // Control of a running crawl.
  // Limits the number of claims; 0 is a pause. Initially there is no limit.
  void set_claims_max(std::size_t claims_max);
  // Sets new delays, also for hosts that are paused now. Pauses that a host requested or that
  // follow failures are kept.
  void set_pace(const PolitenessOptions& politeness, Duration global_gap);
  // Closes a host, known or not, like park_host().
  void block_host(std::string_view hostname, OriginEnd end, DropTarget drop);
  // Undoes block_host() for URLs that are added from now on.
  void unblock_host(std::string_view hostname) { hosts_.unblock(hostname); }

  // Leased hosts.
  // The host is ours until that moment. Later, no request to it starts until this is called again.
  void lease_host(std::string_view hostname, Instant until);
  // Drops the queued targets of a host without ending them, and forgets the host. Returns false if
  // it is not possible yet, because requests are in flight: call it again.
  [[nodiscard]] bool withdraw_host(std::string_view hostname);

  // Several loops: URLs of another loop's sites are sent there.
  // Stores the target, so that it survives a crash in transfer. Returns its ticket, which the other
  // side ends with settle(); 0: nothing is stored.
  std::uint64_t send(std::optional<std::uint64_t> fingerprint, const Target& target) {
    return backlog_ == nullptr ? 0 : backlog_->send(fingerprint, target);
  }
  // Messages that an earlier process did not deliver to this loop, with their tickets.
  struct Undelivered {
    Target target;
    bool is_again = false;  // for discover_again()
  };
  std::vector<Undelivered> take_undelivered() { return std::exchange(undelivered_, {}); }
  // The counts of limits and guards of an earlier process.
  std::vector<StoredCount> take_counts() { return std::exchange(counts_, {}); }

  // True if it is closed and a later process can resume its queue and the claims that are given up.
  // drain() returns nothing then.
  bool keeps_waiting() const { return log_ != nullptr && turns_.is_closed(); }
  // Allows no more claims; waiting claim() calls fail. Held claims may still finish.
  void close();
  // Passes on all queued targets. REQUIRES: close() was called.
  void drain(std::move_only_function<void(Target target)> take);
  // Waits until nothing is queued or claimed. Fails only with Errc::cancelled.
  async::Task<Result<void>> join() { co_return co_await is_idle_.wait(); }

  // Limits the memory of new hosts to about this many bytes. Beyond that, calls `on_full` once.
  void limit_hosts(std::uint64_t bytes_max, std::move_only_function<void()> on_full) {
    hosts_.limit(bytes_max, std::move(on_full));
  }
  // True if the limit was exceeded and there is no backlog.
  bool has_no_room() const { return hosts_.has_no_room(); }
  // Called when the page limit is reached, all claims have ended, and targets are left.
  void on_spent(std::move_only_function<void()> callback) { on_spent_ = std::move(callback); }

  std::size_t waiting() const { return queues_.waiting(); }  // queued targets
  std::size_t claimed() const { return claimed_; }           // claimed targets
  std::size_t seen() const { return seen_.size(); }          // all URLs ever added
  std::size_t hosts() const { return hosts_.size(); }
  // Hosts that are down or requested a long pause, the longest first.
  std::vector<HostPause> pauses(std::size_t count_max) const { return turns_.pauses(count_max); }
  // The URLs of origins that were closed with OriginEnd::may_pass.
  Unreached unreached() const { return unreached_; }
  std::size_t memory_bytes() const { return seen_.memory_bytes() + hosts_.memory_bytes(); }

 private:
  class ClaimWait;

  void recall();
  bool is_leased() const { return log_ != nullptr && backlog_ == nullptr; }
  void add(Origin* origin, const url::Url& url, std::optional<std::uint64_t> fingerprint,
           Target target, std::span<const StoredCount> counts);

  // Moves the origin to the place for its current state.
  void place(Origin& origin);
  void place_host(Host& host);
  void wake(Origin& origin) noexcept override;
  void come_back(Origin& origin) override;
  // There is something to claim and no worker waits.
  void want_worker();
  // Serves waiting claim() calls while origins are ready.
  void serve();
  std::optional<Claim> next_claim();
  Claim claim_preparation(Origin& origin, Work work, Instant now);
  std::optional<Claim> claim_from(Origin& origin, Instant now);
  // Returns the next target of the origin, if its level has been reached.
  std::optional<Target> take_target(Origin& origin);
  Target take_queued(Origin& origin);
  std::optional<Target> take_last(Origin& origin);

  Origin& release(Claim& claim) noexcept;
  // Queues a target again after this response.
  void requeue(Origin& origin, Target target, HostSign sign, std::optional<Duration> retry_after);
  // True if robots.txt should show whether the host or its pages are at fault.
  bool is_doubtful(const Origin& origin) const;
  // Ends a claim, which frees a slot of its host. Returns true if the host must be parked.
  bool end_request(Origin& origin, const Claim& claim, HostSign sign,
                   std::optional<Duration> retry_after);
  // Handles the end of the crawl, of a level, or of the page limit, or new pages after that.
  void work_changed();

  Origin& origin_named(std::string_view name) const;
  void drain(Origin& origin, OriginEnd end, DropTarget& drop);
  // Counts a host as unreached if some of its URLs are.
  void count_unreached(const Origin& origin, std::uint64_t& urls, std::uint64_t count = 1);

  async::Loop& loop_;
  FrontierOptions options_;
  const std::shared_ptr<FrontierShare> share_;
  Backlog* const backlog_;  // nullptr: none
  WorkLog* const log_;      // nullptr: none; else the backlog or the leases
  SeenSet seen_;
  HostTurns turns_;
  OriginQueues queues_;
  HostMemory hosts_;
  DeeperTargets deeper_;
  Unreached unreached_;
  std::vector<Undelivered> undelivered_;
  std::vector<StoredCount> counts_;  // recalled, but not taken yet
  UrlReader reader_;

  async::WaitList claimers_;
  bool is_serving_ = false;
  std::size_t claimed_ = 0;
  std::move_only_function<void()> on_unclaimed_;
  std::move_only_function<void()> on_spent_;
  async::Event is_idle_;
  OpenWork::Listener listener_;
};

}  // namespace gossamer::crawler
