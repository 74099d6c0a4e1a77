#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/intrusive_list.h"
#include "async/loop.h"
#include "async/queued_wait.h"
#include "crawl/frontier/backlog.h"
#include "crawl/frontier/frontier.h"
#include "crawl/frontier/seen_set.h"
#include "crawl/frontier/shared_pauses.h"
#include "crawl/frontier/target_queue.h"
#include "crawl/host_options.h"
#include "crawl/shards/open_work.h"

namespace gossamer::crawler {

struct FrontierOptions {
  PolitenessOptions politeness;
  std::vector<HostOptions> hosts;  // with a pace of their own
  CrawlOrder order = CrawlOrder::breadth_first;
  // Claims no target while one of lesser depth is waiting or claimed anywhere, so that every URL
  // is found first on a shortest way: what makes a limit of depth mean something. Breadth first
  // only.
  bool is_level_by_level = false;
  // Least time between the starts of any two requests.
  Duration global_gap = Duration::zero();
  // Origins need no address, or no robots.txt, before their pages are claimed.
  bool needs_address = true;
  bool needs_robots = true;
  // robots.txt tells whether a host is down or a page of it is broken.
  bool probes_robots = true;
  // Unlike in any other crawl, so that no site can choose URLs that make the seen set slow.
  std::uint64_t salt = 0;
  std::string agent = "gossamer";  // for rules that a backlog kept
  // An earlier process was at work on this crawl. A power cut may have taken its notes about a
  // host, so a host without notes gets a whole pause from the start of this process.
  bool is_continued = false;
  // With a backlog: hosts may take about so many bytes of memory. The others are on disk.
  std::uint64_t host_bytes_max = std::numeric_limits<std::uint64_t>::max();
  // Pages that may be claimed in all; those that are retried do not count twice.
  std::optional<std::uint64_t> pages_max;
};

// What the frontiers of one crawl have in common, each on its own loop.
struct FrontierShare {
  explicit FrontierShare(const FrontierOptions& options)
      : work(options.pages_max, options.is_level_by_level),
        pauses(options.politeness.address_gap, options.global_gap) {}

  OpenWork work;
  SharedPauses pauses;
};

// In memory, for one loop. With a backlog only the heads of the queues are, and of the hosts as
// many as FrontierOptions::host_bytes_max has room for: others are away (memory_frontier_hosts.cc).
//
// Each origin is in one of four places: in the line of those that may be asked now (round and
// round, one target each), among the loop's timers until its host may be asked again, among those
// whose depth is not reached yet, or nowhere: it has nothing waiting, or its host has as many
// requests in flight as it may. A sleeping host costs the memory of its slot and nothing else.
class MemoryFrontier final : public Frontier {
 public:
  // With `share`, one of several of a crawl; with `backlog`, what waits is kept there, and what an
  // earlier process kept is there from the beginning. BORROWS: the loop and the backlog.
  MemoryFrontier(async::Loop& loop, FrontierOptions options,
                 std::shared_ptr<FrontierShare> share = nullptr, Backlog* backlog = nullptr);
  // REQUIRES: no claim is held, nobody waits.
  ~MemoryFrontier() override;

  using Frontier::discover;
  Discovery discover(const url::Url& url, std::uint64_t fingerprint, Target facts,
                     std::span<const KeptCount> counts) override;
  void discover_again(const url::Url& url, Target facts) override;
  bool knows(std::uint64_t fingerprint, std::uint16_t depth) const override {
    return seen_.contains(fingerprint) && !comes_nearer(fingerprint, depth);
  }
  bool knows_host(std::string_view hostname) const override;
  const OriginRules* rules_for(const url::Url& url) const override;
  const OriginEnd& end_of(const url::Url& url) const override;

  async::Task<Result<Claim>> claim() override;
  bool has_ready() const override {
    return !is_closed_ && !ready_.empty() && claims_held_ < claims_max_;
  }

  void on_unclaimed(std::move_only_function<void()> callback) override {
    on_unclaimed_ = std::move(callback);
  }

  void resolved(Claim claim, const std::optional<async::Endpoint>& address, bool is_own) override;
  void has_rules(Claim claim, OriginRules rules, Duration crawl_delay) override;
  bool finish(Claim claim, HostSign sign, std::optional<Duration> retry_after) override;
  void skip(Claim claim) override;
  bool retry(Claim claim, HostSign sign, std::optional<Duration> retry_after) override;
  bool is_closed(const Claim& claim) const override;
  bool is_kept(const Claim& claim) const override;
  bool has_answered(const Claim& claim) const override;
  bool may_be_down(const Claim& claim) const override;
  void probe(const Claim& claim) override;
  void close_origin(std::string_view origin, OriginEnd end, Drop drop) override;
  void park_host(std::string_view origin, OriginEnd end, Drop drop) override;

  void set_claims_max(std::size_t claims_max) override;
  void set_pace(const PolitenessOptions& politeness, Duration global_gap) override;
  void block_host(std::string_view hostname, OriginEnd end, Drop drop) override;

  std::uint64_t send(std::optional<std::uint64_t> fingerprint, const Target& target) override;
  std::vector<Letter> take_letters() override { return std::exchange(letters_, {}); }
  std::vector<KeptCount> take_counts() override { return std::exchange(counts_, {}); }

  bool keeps_waiting() const override { return backlog_ != nullptr && is_closed_; }
  void settle(const Target& target) override;

  void close() override;
  void drain(std::move_only_function<void(Target target)> take) override;
  async::Task<Result<void>> join() override;

  void on_spent(std::move_only_function<void()> callback) override {
    on_spent_ = std::move(callback);
  }
  std::size_t waiting() const override { return waiting_; }
  std::size_t claimed() const override { return claimed_; }
  std::size_t seen() const { return seen_.size(); }  // URLs ever added
  void limit_hosts(std::uint64_t bytes_max, std::move_only_function<void()> on_full) override;
  bool has_no_room() const override { return backlog_ == nullptr && host_bytes_ > host_bytes_max_; }
  std::size_t hosts() const override { return hosts_.size() + hosts_away_; }
  std::size_t hosts_in_memory() const { return hosts_.size(); }
  std::vector<HostPause> pauses(std::size_t count_max) const override;
  ParkReason park_reason(std::string_view origin) const override;
  Unreached unreached() const override { return unreached_; }
  std::size_t memory_bytes() const override;

  // What is known of a host; nullptr: nothing.
  const HostPace* pace_of(std::string_view hostname) const;

 private:
  struct Origin;
  class ClaimWait;
  enum class Stage : std::uint8_t { unresolved, without_rules, open, closed };

  struct Host final : public async::ListNode<Host> {
    explicit Host(const PolitenessOptions& options) noexcept : pace(options) {}
    HostPace pace;
    std::string_view name = {};
    std::vector<Origin*> origins;
    std::unique_ptr<const OriginEnd> end;  // of origins to come, too; nullptr: none
    bool is_unreached = false;             // counted in unreached_
    bool was_heard = false;                // it answered an earlier process
    bool is_listed = false;                // in idle_
    bool is_recalled = false;              // the backlog may know its rules
    std::unique_ptr<Drop> drop;            // of block_host(), with a backlog
  };
  // A target that waits at another level than the one that is being crawled.
  struct Deeper {
    std::uint64_t url_hash;
    std::uint16_t depth;

    std::uint64_t hash() const { return url_hash ^ (depth * 0x9E37'79B9'7F4A'7C15ULL); }
  };
  struct Text {  // looks texts up without making strings of them
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept;
  };

  // nullptr: it is not in memory, and must not be: put_away() is for it.
  Origin* origin_for(const url::Url& url, const Target& target);
  Origin* find_origin(std::string_view name) const;
  Host& host_for(std::string_view hostname);
  Origin& make_origin(std::string_view name, std::string_view hostname);
  void recall_host(Host& host);
  void recall_rules(Origin& origin);
  static std::uint64_t host_key(std::string_view hostname);
  // The pause of FrontierOptions::is_continued.
  void pause_first(HostPace& pace) const;
  // An origin has come to need so much more.
  void count_host_bytes(Origin& origin, std::size_t bytes);

  // With a backlog: which hosts are in memory.
  void put_away(const url::Url& url, std::optional<std::uint64_t> fingerprint, Target target,
                std::span<const KeptCount> counts);
  // Nothing waits or is under way there.
  bool is_idle(const Host& host) const;
  // All that waits there is of a later level.
  bool is_later(const Host& host) const;
  void list_if_idle(Host& host);
  // True: there is room for one more origin.
  bool make_room();
  bool evict(Host& host);
  void evict_idle(std::uint64_t bytes_wanted);
  void evict_later(std::uint64_t bytes_wanted);
  std::uint64_t room_max() const;
  bool has_room_within(std::uint64_t bytes_max) const;
  // Takes in hosts that are away, as long as there is room; soon, once others have become idle.
  void admit();
  void admit_soon(Duration delay);
  void admit(const Backlog::TakenIn::Origin& taken);
  // No host in memory will ever be idle by itself.
  bool is_stuck() const;
  void add(Origin& origin, const url::Url& url, std::optional<std::uint64_t> fingerprint,
           Target target, std::span<const KeptCount> counts);
  // Takes the next target from its queue. REQUIRES: something waits there.
  Target pop(Origin& origin);
  // The same for a host that is down: by turns the next target and another. One page that fails
  // again and again must not make its host seem down.
  Target pop_probe(Origin& origin);

  // With a backlog: what it keeps comes back.
  void recall();
  void recall_target(std::uint64_t fingerprint, const Target& target,
                     std::unordered_map<std::uint64_t, Deeper>& found);
  // While something waits at an origin, the first of it is in memory.
  void refill(Origin& origin);
  // Those too that could not be refilled when the backlog was in trouble.
  void refill_all();
  void leave(Origin& origin);
  void end_soon();
  // What waits at a closed origin is for another process, and so is all that is found of it.
  bool is_set_aside(const Origin& origin) const;
  void set_aside(Origin& origin);
  // A host counts as unreached if URLs of it are.
  void count_unreached(const Origin& origin, std::uint64_t& urls, std::uint64_t count = 1);
  void keep_for_later(const Origin& origin, const url::Url& url,
                      std::optional<std::uint64_t> fingerprint, Target target,
                      std::span<const KeptCount> counts);

  // With limits of depth: what waits at one depth is found nearer, by a redirect, which leads to a
  // page of its own depth, or by another loop. It goes to where it belongs.
  bool comes_nearer(std::uint64_t fingerprint, std::uint16_t depth) const {
    const auto found = next_level_.find(fingerprint);
    return found != next_level_.end() && depth < found->second.depth;
  }
  void bring_nearer(std::uint64_t fingerprint);
  bool is_stale(const Target& target);

  // Puts the origin where it belongs now.
  void place(Origin& origin);
  void sleep(Origin& origin, Instant until);
  void wake(Origin& origin);
  void place_host(Host& host);
  // There is something to claim, and nobody who waits for it.
  void want_worker();
  void take_out(Origin& origin) noexcept;
  bool is_blocked_by_level(const Origin& origin) const;
  // Claims of origins in the line, as long as there is somebody who waits for one.
  void serve();
  std::optional<Claim> next_claim();
  Claim claim_preparation(Origin& origin, Work work, Instant now);
  std::optional<Claim> claim_from(Origin& origin, Instant now);
  // The next target of the origin, if its level has been reached.
  std::optional<Target> take_target(Origin& origin);
  std::optional<Instant> gate(Origin& origin, Instant now);

  // A claim has ended: its host has room again. True: the host is to be parked.
  bool end_request(Origin& origin, const Claim& claim, HostSign sign,
                   std::optional<Duration> retry_after);
  void note_trouble(const Host& host);
  // All is done, or a level is, or all pages are spent, or there are some again.
  void work_changed();
  void drain(Origin& origin, OriginEnd end, Drop& drop);

  void abandon(Claim& claim) noexcept override;
  std::string_view origin_of(const Claim& claim) const override;
  const OriginRules* rules_of(const Claim& claim) const override;
  static Origin& origin_in(const Claim& claim) noexcept;
  Origin& release(Claim& claim) noexcept;

  async::Loop& loop_;
  const Instant begun_;
  FrontierOptions options_;
  HostManners manners_;
  const std::shared_ptr<FrontierShare> share_;
  Backlog* const backlog_;            // nullptr: none
  std::vector<std::uint16_t> ended_;  // depths of targets of the backlog that had ended already
  std::uint64_t ended_on_disk_ = 0;   // more of them, where depths do not matter
  Unreached unreached_;
  async::TimerHandle end_soon_;
  std::vector<Letter> letters_;
  std::vector<KeptCount> counts_;  // that were recalled, and that nobody has asked for
  SeenSet seen_;
  std::unordered_map<std::string, std::unique_ptr<Origin>, Text, std::equal_to<>> origins_;
  std::unordered_map<std::string, std::unique_ptr<Host>, Text, std::equal_to<>> hosts_;
  std::uint64_t host_bytes_ = 0;  // of both, about
  std::uint64_t host_bytes_max_;
  std::uint64_t bytes_set_aside_ = 0;  // of these, what cannot leave
  std::move_only_function<void()> on_full_;
  std::unordered_set<const Host*> in_trouble_;  // down, or asked us to wait
  Origin* last_origin_ = nullptr;               // links of one page mostly lead to one origin

  async::IntrusiveList<Host> idle_;  // and some that were
  std::size_t away_ = 0;             // targets that wait at origins that are away
  std::size_t hosts_away_ = 0;       // that were met
  bool has_history_ = false;         // the backlog may know more of a host than we do
  std::uint32_t next_away_ = 0;      // where take_in() continues
  bool has_news_ = false;            // there may be something for it before that
  async::TimerHandle admit_soon_;
  Instant admit_at_ = base::kNever;

  async::IntrusiveList<Origin> ready_;
  std::vector<Origin*> blocked_by_level_;
  std::uint16_t level_ = 0;                               // as far as it is known here
  std::unordered_map<std::uint64_t, Deeper> next_level_;  // what waits there, by fingerprint
  // What was brought nearer, perhaps more than once: its URL with each depth at which it is not to
  // be claimed, hashed.
  std::unordered_set<std::uint64_t> stale_;

  async::WaitList claimers_;
  std::move_only_function<void()> on_unclaimed_;
  std::move_only_function<void()> on_spent_;
  async::Event is_idle_;
  std::size_t waiting_ = 0;
  std::size_t claimed_ = 0;
  std::size_t claims_held_ = 0;  // of whatever work
  std::size_t asleep_ = 0;       // origins among the loop's timers
  std::size_t claims_max_ = std::numeric_limits<std::size_t>::max();
  bool is_serving_ = false;
  bool is_closed_ = false;
  OpenWork::Listener listener_;
};

}  // namespace gossamer::crawler
