#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cluster/shared_frontier.h"
#include "frontier/politeness.h"
#include "frontier/target.h"
#include "node/completion_order.h"
#include "node/host_state.h"
#include "scope/stored_count.h"
#include "wire/cookie.h"

namespace gossamer::node {

// Returns the cookies of a host.
using CookiesOf = std::move_only_function<std::vector<wire::Cookie>(std::string_view host)>;

// What Redis must know about a leased host, and what it will know then.
struct LeaseNews {
  std::uint32_t id;
  std::uint64_t number;  // CompletionOrder::next()
  cluster::Then then;
  Instant ready_at;  // of the host
  std::string kept;  // of its state
  cluster::Completion completion;
};

// A host that this node has leased, and what happened to its URLs.
class HostLease {
 public:
  // A lease only goes forward; between the first two it changes.
  enum class Stage : std::uint8_t {
    active,
    held_up,    // no request starts, because too much of hosts that wait for Redis is held
    leaving,    // no request starts; those in flight finish
    withdrawn,  // nothing is in flight, and the host is released
    lost,       // another node has it
  };
  // Why its ended pages cannot end in Redis now.
  enum class Wait : std::uint8_t {
    none,
    links,   // links of its pages could not be added yet
    answer,  // Redis did not take its last completion
  };

  HostLease(std::uint32_t id, cluster::LeasedHost host);

  std::uint32_t id() const { return id_; }
  const std::string& name() const { return host_.host; }
  cluster::LeasedHost& host() { return host_; }
  Instant until() const { return host_.until; }
  HostState& state() { return state_; }
  const HostState& state() const { return state_; }
  // True if an earlier holder left a state.
  bool is_known() const { return is_known_; }
  const CompletionOrder& order() const { return order_; }

  Stage stage() const { return stage_; }
  // REQUIRES: it is not lost, and the stage is a later one, or active after held_up.
  void enter(Stage stage);
  // True if the node fetches from it, now or later.
  bool is_active() const { return stage_ <= Stage::held_up; }
  // True if it must be renewed.
  bool is_held() const {
    return stage_ < Stage::withdrawn || (stage_ == Stage::withdrawn && wait_ == Wait::links);
  }
  Wait wait() const { return wait_; }
  // Whether links of its pages could not be added yet.
  void wait_for_links(bool waits);
  // Whether Redis did not take its last completion. REQUIRES: it does not wait for links.
  void wait_for_answer(bool waits);
  // The host without its state and URLs.
  cluster::LeasedHost renewal() const;

  Instant ready_at = Instant::min();  // when the host allows the next request

  // Adds URLs that were read. Returns them with their tickets. URLs of a malformed batch end, and
  // `failure` says why. A host whose leases expired several times gets one URL at a time.
  std::vector<crawler::Target> take(std::vector<cluster::UrlBatch> batches,
                                    std::optional<Error>& failure);
  // Returns further ones that take() held back.
  std::vector<crawler::Target> take_held_back();
  // The pace of the host after a request. `now` is when it ended.
  void note_pace(const crawler::PaceMemory& pace, Instant now);
  // True if this node should let others try the host, because it did not answer since
  // `last_answer`, when another host did.
  bool is_unheard(std::uint64_t node, std::size_t nodes, Instant last_answer) const;
  // Lets others try it.
  void pass_on(std::uint64_t node);
  void note_counts(std::uint64_t number, std::span<const crawler::StoredCount> counts);
  // Returns true if the URL has ended now.
  bool end(std::uint64_t number);
  void hold(std::uint64_t number) { order_.hold(number); }

  // True if Redis does not know everything that has ended.
  bool has_news() const { return order_.next() != accepted_; }
  // True if it should read more of the queue.
  bool wants_more() const;
  // True if it wants more since the last URL has ended.
  bool is_newly_hungry() const;
  // Ended URLs that Redis does not know, and the URLs themselves.
  std::size_t unknown() const;
  std::vector<std::string> unknown_urls() const;
  // REQUIRES: Redis does not know that it has ended.
  const std::string& url_of(std::uint64_t number) const {
    return entries_[number - accepted_].target.url;
  }
  // What Redis must know now. With Then::release, the same again each time. REQUIRES: `state` is
  // state_now() of next_step(), and has the cookies of the host.
  cluster::Completion completion(Instant now, const HostState& state);
  // The state of the host at that completion, without its cookies.
  HostState state_now(cluster::Then then) const;
  cluster::Then next_step() const;
  // Returns what Redis must know; empty: nothing. A pause that is longer than Redis knows by more
  // than `slack` is news.
  std::optional<LeaseNews> news(Instant now, Duration slack, CookiesOf& cookies_of);
  // Redis has taken the news.
  void accept(const LeaseNews& news, const cluster::Completed& completed);
  // Its parts. Redis has the part of the state that changes rarely.
  void accept_kept(const std::string& kept);
  // Redis has taken a completion that was made when order().next() was `number`.
  void accept(std::uint64_t number, cluster::Then then, const cluster::Completed& completed);
  // Nothing is queued in Redis or here.
  bool is_done() const { return is_done_; }

 private:
  using CountKey = std::pair<crawler::Counted, std::uint64_t>;
  struct Entry {
    crawler::Target target;
    std::vector<CountKey> counted;
  };
  // The rest is queued again, if that repeats fewer pages.
  bool gives_back() const;
  std::optional<cluster::UrlBatch> rest() const;

  const std::uint32_t id_;
  Stage stage_ = Stage::active;
  Wait wait_ = Wait::none;
  Instant known_ready_at_ = Instant::min();  // as Redis knows it
  // Since then it has not answered; empty: it has, or was not asked.
  std::optional<Instant> silent_since_;
  cluster::LeasedHost host_;
  CompletionOrder order_;
  std::uint64_t accepted_ = 0;  // the number of the first URL that Redis does not know to be ended
  std::uint64_t waiting_ = 0;   // URLs that had not ended in Redis
  bool is_done_ = false;
  HostState state_;
  bool is_known_ = false;
  std::map<CountKey, std::uint32_t> counts_;
  std::deque<Entry> entries_;  // from accepted_ on
  std::deque<crawler::Target> held_back_;
  std::optional<cluster::Completion> release_;
  std::uint64_t known_kept_;  // a hash of the part of the state that changes rarely
};

// All hosts that this node has leased.
class LeaseBook {
 public:
  // Adds a lease; URLs come with HostLease::take(). REQUIRES: the host is not there.
  HostLease& add(cluster::LeasedHost host);
  void remove(std::uint32_t id) { leases_.erase(id); }

  // The lease and the number of a ticket; nullptr: it is gone.
  struct Place {
    HostLease* lease = nullptr;
    std::uint64_t number = 0;
  };
  Place find(std::uint64_t ticket);
  HostLease* find(std::uint32_t id);
  HostLease* find_host(std::string_view hostname);
  static std::uint64_t ticket_of(std::uint32_t id, std::uint64_t number) {
    return std::uint64_t{id} << 32 | number;
  }

  std::size_t size() const { return leases_.size(); }
  std::vector<HostLease*> all();
  // What Redis must know about all hosts.
  std::vector<LeaseNews> news(Instant now, Duration slack, CookiesOf cookies_of);
  // Lets active hosts leave until `wanted` remain, if there are more than `kept`. Returns whether
  // some leave.
  bool leave_beyond(std::size_t kept, std::size_t wanted);
  // Ended URLs that Redis does not know; of all hosts, or only of those that wait for Redis.
  std::size_t unknown() const;
  std::size_t unknown_waiting() const;
  // URLs that have not ended.
  std::size_t open() const;

 private:
  std::map<std::uint32_t, std::unique_ptr<HostLease>> leases_;
  std::map<std::string, std::uint32_t, std::less<>> by_host_;
  std::uint32_t last_id_ = 0;
};

}  // namespace gossamer::node
