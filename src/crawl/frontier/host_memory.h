#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "async/intrusive_list.h"
#include "async/loop.h"
#include "base/hash.h"
#include "base/time.h"
#include "frontier/backlog.h"
#include "frontier/frontier_options.h"
#include "frontier/host_manners.h"
#include "frontier/host_turns.h"
#include "frontier/origin.h"
#include "frontier/origin_queues.h"
#include "scope/host_options.h"
#include "scope/seen_set.h"
#include "scope/stored_count.h"
#include "url/url.h"

namespace gossamer::crawler {

// The hosts in memory, with their origins. With a backlog there may be more hosts than fit into
// memory.
//
// A host is either in memory or away. If it is away, only the backlog has its pace, its rules and
// its queue. When memory is full, idle hosts leave; with levels, also those that wait for a later
// one. While none can leave, or others wait to return, URLs of hosts that are away stay on disk.
// Hosts return in the order in which their origins were found.
class HostMemory {
 public:
  struct Source {
    Backlog* backlog = nullptr;
    WorkLog* log = nullptr;  // the backlog, if there is one
  };
  // Hosts on disk alone are in `seen`, which may spill. BORROWS: all; the source may be empty.
  HostMemory(async::Loop& loop, const FrontierOptions& options, HostTurns& turns,
             OriginQueues& queues, SeenSet& seen, Source source, OriginEvents& events);
  ~HostMemory();

  // nullptr: it is not in memory.
  Origin* find(std::string_view origin) const;
  Origin* find(const url::Url& url) const;
  // Returns the origin of a URL; creates it if necessary. nullptr: it is away; use put_away().
  Origin* origin_for(const url::Url& url, const Target& target);
  Host& host_for(std::string_view hostname);
  Host* find_host(std::string_view hostname) const;
  // Opens a host and its origins again that were closed with SkipReason::blocked, if it is known.
  void unblock(std::string_view hostname);
  // Removes a host without queued targets. Returns false if requests to it are in flight.
  bool forget(Host& host);
  // True if a URL of this host was added before.
  bool knows_host(std::string_view hostname) const;
  template <class F>
  void for_each_origin(F&& visit) const {
    for (const auto& [name, origin] : origins_) visit(*origin);
  }

  // Limits the memory of new hosts to about this many bytes. Beyond that, calls `on_full` once.
  void limit(std::uint64_t bytes_max, std::move_only_function<void()> on_full);
  // True if the limit was exceeded and there is no backlog.
  bool has_no_room() const { return backlog_ == nullptr && bytes_ > bytes_max_; }
  // Adds to the memory of an origin.
  void count_bytes(Origin& origin, std::size_t bytes);
  // With a backlog, long rules may leave memory. REQUIRES: the log has them.
  void set_rules(Origin& origin, OriginRules rules);
  // Brings them back. nullptr: they are unknown. BORROWS: until the next call for any origin.
  const OriginRules* rules_of(Origin& origin);
  // Keeps the host in memory until the end.
  void count_set_aside(const Origin& origin) { bytes_set_aside_ += origin.bytes; }

  // Adds a target to an origin that is away. REQUIRES: origin_for() returned nullptr.
  void put_away(const url::Url& url, std::optional<std::uint64_t> fingerprint, Target target,
                std::span<const StoredCount> counts);
  // The queue of an earlier process is away.
  void recall_waiting(std::uint16_t depth, std::size_t count);
  void recall_host(std::string_view hostname);
  // Brings hosts into memory while there is room.
  void admit();
  // Schedules admit(), because more hosts may be due.
  void admit_others();
  // The host may leave when memory is full.
  void list_if_idle(Host& host);

  // Sets new delays, also for hosts that are paused.
  void set_politeness(const PolitenessOptions& politeness);
  std::size_t size() const { return hosts_.size() + away_hosts_; }
  std::size_t memory_bytes() const;

 private:
  struct Text {  // looks up texts without allocating strings
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return base::hash64(text); }
  };

  Origin& make_origin(std::string_view name, std::string_view hostname);
  void remove(Host& host);
  void recall_pace(Host& host);
  void recall_rules(Origin& origin);
  // Notes that these long rules were used last; others may leave memory.
  void hold_long_rules(Origin& origin);
  void release_long_rules(Origin& origin);
  // True if nothing is queued or claimed there.
  bool is_idle(const Host& host) const;
  // True if all its queued targets have a later level.
  bool is_later(const Host& host) const;
  // Returns true if there is room for one more origin.
  bool make_room();
  bool evict(Host& host);
  void evict_idle(std::uint64_t bytes_wanted);
  void evict_later(std::uint64_t bytes_wanted);
  std::uint64_t room_max() const;
  bool has_room_within(std::uint64_t bytes_max) const;
  void admit_soon(Duration delay);
  void admit(const Backlog::TakenIn::Origin& taken);

  async::Loop& loop_;
  const FrontierOptions& options_;
  HostTurns& turns_;
  OriginQueues& queues_;
  SeenSet& seen_;
  Backlog* const backlog_;  // nullptr: none
  WorkLog* const log_;      // nullptr: none
  OriginEvents& events_;
  HostManners manners_;
  std::unordered_map<std::string, std::unique_ptr<Origin>, Text, std::equal_to<>> origins_;
  std::unordered_map<std::string, std::unique_ptr<Host>, Text, std::equal_to<>> hosts_;
  Origin* last_origin_ = nullptr;  // links of one page mostly lead to one origin
  std::uint64_t bytes_ = 0;        // approximate total
  std::uint64_t bytes_max_;
  std::uint64_t bytes_set_aside_ = 0;  // of these, hosts that cannot leave
  std::move_only_function<void()> on_full_;
  // Those with long rules in memory, the last used at the end. BOUND: a part of bytes_max_.
  std::vector<Origin*> long_rules_;
  std::uint64_t long_rules_bytes_ = 0;

  async::IntrusiveList<Host> idle_;  // and some that were idle
  std::size_t away_ = 0;             // queued targets of origins that are away
  std::size_t away_hosts_ = 0;       // hosts on disk alone
  bool has_history_ = false;         // the backlog may know more about a host
  std::uint32_t next_away_ = 0;      // where take_in() continues
  bool has_news_ = true;             // it may find something before that
  async::TimerHandle admit_soon_;
  Instant admit_at_ = base::kNever;
};

}  // namespace gossamer::crawler
