#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "crawl/frontier/backlog.h"
#include "crawl/frontier/target_queue.h"
#include "crawl/shards/site_number.h"
#include "store/journal.h"
#include "store/work_chunk.h"

namespace gossamer::store {

// Rows of Table::meta: this and where a root redirects to. Their value is the URL that redirects.
inline constexpr std::string_view kRootPlaceKey = "root-place ";

struct StoredWorkOptions {
  crawler::CrawlOrder order = crawler::CrawlOrder::breadth_first;
  // What the loop's clock means outside this process.
  WallTime wall_start;
  Instant loop_start;
  // What the loop's clock says now. Stored, so that the next process sees whether the clock outside
  // was set back meanwhile; nullptr: it is not.
  Instant (*now)() = nullptr;
  // Of one origin, so many targets are in memory, and some more; the others are in the tables.
  std::size_t head_max = 4096;
  // Of all origins together. Beyond that, each has a few.
  std::size_t heads_max = 1'000'000;
};

// What waits, in tables: heads in memory, all of it on disk.
//
// Targets that were found together are kept together, so that a page costs a few writes and not one
// for each link. Such a chunk is removed when the last of its targets has ended; which of them
// ended before is known from the table of pages, so nothing is written for that.
//
// In another order than breadth first, the order of what is not in memory is only roughly kept.
//
// Of an origin that is away nothing is in memory but what was found since the last commit.
//
// All loops of a crawl share it, under the journal's lock; each has its own sites (StoredShare).
class StoredWork final : public crawler::Backlog {
 public:
  // BORROWS: the journal.
  StoredWork(Journal& journal, StoredWorkOptions options);

  void recall(Recall recall) override { recall_share(std::move(recall), {}); }
  // The same for one of several loops: what is of its sites. Any number of loops may go on with
  // what another number left.
  void recall_share(Recall recall, crawler::SiteShare share);
  Stored add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
             const crawler::Target& target, std::uint32_t rank,
             std::span<const crawler::StoredCount> counts) override;
  More more(std::string_view origin) override;
  void put_away(std::string_view origin, std::optional<std::uint64_t> fingerprint,
                const crawler::Target& target, std::uint32_t rank,
                std::span<const crawler::StoredCount> counts) override;
  TakenIn take_in(std::uint32_t from, std::uint32_t rank_max, std::size_t count_max) override {
    return take_in_share(from, rank_max, count_max, {});
  }
  // The same for one of several loops.
  TakenIn take_in_share(std::uint32_t from, std::uint32_t rank_max, std::size_t count_max,
                        crawler::SiteShare share);
  bool can_let_go(std::string_view origin, std::size_t count) override;
  void let_go(std::string_view origin, std::span<const std::uint64_t> tickets) override;
  std::optional<crawler::PaceMemory> pace_of(std::string_view hostname) override;
  std::optional<crawler::StoredRules> rules_of(std::string_view origin) override;
  std::uint64_t send(std::optional<std::uint64_t> fingerprint,
                     const crawler::Target& target) override;
  // As send() of what is to be asked for once more, for a loop that has not recalled yet.
  void leave_message(const crawler::Target& target);
  // They had ended, and wait again as if they never had, once each. Whoever says so removes their
  // rows with the same commit. REQUIRES: nobody has recalled yet.
  Result<void> put_back(const std::vector<ChunkedTarget>& ended);
  void end(std::uint64_t ticket) override;
  void note_host(std::string_view hostname, const crawler::PaceMemory& pace) override;
  void note_rules(std::string_view origin, std::string_view source, Instant good_until) override;
  void commit() override { journal_.commit(); }
  // Nothing can be relied on any more.
  void fail_with(Error error) { journal_.fail_with(std::move(error)); }

  // Targets of which so much is in memory.
  std::size_t in_memory() const noexcept { return in_memory_; }
  // Origins of which something is in memory.
  std::size_t origins_in_memory() const noexcept { return origins_.size(); }

 private:
  // Where a chunk stands among those of its origin.
  struct Place {
    std::uint32_t rank;
    std::uint64_t number;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct OpenChunk {
    std::uint64_t number;
    std::uint32_t rank;  // in its key
    bool is_in_memory;
    ChunkBuilder builder;
  };
  struct Origin {
    std::uint32_t id = 0;
    std::string name;
    std::uint16_t site = 0;
    std::size_t in_memory = 0;
    std::size_t begun = 0;       // chunks in memory of which some targets have ended, others not
    std::uint32_t rank_max = 0;  // of those in memory, ever since there were none
    std::optional<Place> tail;   // the first that is not in memory, and all behind it
    std::vector<OpenChunk> open;
    std::string found;      // fingerprints since the last commit
    bool has_open = false;  // it is in with_open_
    bool is_away = false;   // it is in away_
  };
  // A chunk of which targets are in memory.
  struct Chunk {
    Origin* origin;
    std::uint32_t rank;
    std::size_t left;  // that have not ended
    bool is_open;
    bool is_whole = true;  // none has ended
  };

  Origin& origin_for(std::string_view name);
  Origin& make_origin(std::string_view name, std::uint32_t id);
  void drop_origin(Origin& origin);
  bool take_in_one(std::uint32_t id, Place first, crawler::SiteShare share, TakenIn& taken);
  // Origins that are away leave memory when all that was told of them is written.
  void drop_away();
  OpenChunk& chunk_for(Origin& origin, std::uint32_t rank);
  OpenChunk& open_chunk(Origin& origin, std::uint32_t rank, bool is_in_memory);
  void count_in(Origin& origin, std::uint64_t number);
  void close_chunks(Batch& batch);
  void close_counts(Batch& batch);
  void note_clock(Batch& batch) const;
  void note_root_place(const crawler::Target& target);
  void load(Origin& origin, Place place, std::string_view value, More& into);
  bool has_ended(std::uint64_t fingerprint);
  static std::string key_of(const Origin& origin, Place place);

  static constexpr std::string_view kClockKey = "clock";  // of Table::meta
  // The keys of Table::origins begin with what they are about.
  static constexpr char kCountRow = 'c';
  static constexpr char kOriginRow = 'o';
  static constexpr char kNameRow = 'i';
  static constexpr char kHostRow = 'h';
  static constexpr char kRulesRow = 'r';
  static std::string row_key(char kind, std::string_view name);
  static std::string name_key(std::uint32_t id);
  // Of an origin; empty: it has none.
  std::string name_of(std::uint32_t id);
  static std::string count_key(std::uint16_t site, const crawler::StoredCount& kept);

  // What an earlier process left (stored_work_recall.cc). The first four once, before all else.
  void take_over();
  Result<void> take_over_origins();
  Result<void> write_names();
  void take_over_messages();
  void recall_messages(Recall& recall, crawler::SiteShare share);
  void recall_hosts(Recall& recall, crawler::SiteShare share);
  void recall_counts(Recall& recall, crawler::SiteShare share);
  void recall_seen(Recall& recall, crawler::SiteShare share);
  void recall_waiting(Recall& recall, crawler::SiteShare share);
  void recall_targets(std::string_view origin, std::string_view value, Recall& recall);

  std::int64_t wall_of(Instant at) const;
  std::int64_t clock_start() const;
  Instant instant_of(std::int64_t wall) const;

  Journal& journal_;
  const StoredWorkOptions options_;
  std::unordered_map<std::string, std::unique_ptr<Origin>> origins_;
  std::unordered_map<std::uint32_t, Origin*> by_id_;
  Origin* last_origin_ = nullptr;
  std::unordered_map<std::uint64_t, Chunk> chunks_;  // by number, which is the ticket
  std::vector<Origin*> with_open_;
  std::vector<Origin*> away_;     // that are in memory until the next commit
  std::size_t drop_away_at_ = 0;  // when there are so many of these
  bool has_history_ = false;      // there may be origins that are not in memory
  std::uint32_t next_id_ = 1;
  std::unordered_map<std::string, std::uint32_t> counts_;  // since the last commit, by their keys
  // No origin: what is on its way from one loop to another. Its id is nobody else's.
  Origin messages_;
  std::vector<ChunkedTarget> unopened_;  // of these, an earlier process's that nobody has asked for
  bool has_taken_over_ = false;
  std::int64_t last_clock_ = 0;  // what it said outside, nanoseconds, when last something was kept
  std::uint64_t next_number_ = 1;
  std::uint64_t old_numbers_ = 0;  // below: of an earlier process
  std::size_t in_memory_ = 0;
};

// What one of several loops sees of it.
class StoredShare final : public crawler::Backlog {
 public:
  // BORROWS: the work.
  StoredShare(StoredWork& work, crawler::SiteShare share) noexcept : work_(work), share_(share) {}

  // The URLs that were seen may have so much memory, and that storage. BORROWS: the storage.
  void give_seen(std::size_t bytes_max, crawler::RunStorage& storage) {
    seen_bytes_max_ = bytes_max;
    seen_storage_ = &storage;
  }
  std::optional<crawler::SeenSpill> seen_spill() override;

  void recall(Recall recall) override { work_.recall_share(std::move(recall), share_); }
  Stored add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
             const crawler::Target& target, std::uint32_t rank,
             std::span<const crawler::StoredCount> counts) override {
    return work_.add(origin, fingerprint, target, rank, counts);
  }
  More more(std::string_view origin) override { return work_.more(origin); }
  void put_away(std::string_view origin, std::optional<std::uint64_t> fingerprint,
                const crawler::Target& target, std::uint32_t rank,
                std::span<const crawler::StoredCount> counts) override {
    work_.put_away(origin, fingerprint, target, rank, counts);
  }
  TakenIn take_in(std::uint32_t from, std::uint32_t rank_max, std::size_t count_max) override {
    return work_.take_in_share(from, rank_max, count_max, share_);
  }
  bool can_let_go(std::string_view origin, std::size_t count) override {
    return work_.can_let_go(origin, count);
  }
  void let_go(std::string_view origin, std::span<const std::uint64_t> tickets) override {
    work_.let_go(origin, tickets);
  }
  std::optional<crawler::PaceMemory> pace_of(std::string_view hostname) override {
    return work_.pace_of(hostname);
  }
  std::optional<crawler::StoredRules> rules_of(std::string_view origin) override {
    return work_.rules_of(origin);
  }
  std::uint64_t send(std::optional<std::uint64_t> fingerprint,
                     const crawler::Target& target) override {
    return work_.send(fingerprint, target);
  }
  void end(std::uint64_t ticket) override { work_.end(ticket); }
  void note_host(std::string_view hostname, const crawler::PaceMemory& pace) override {
    work_.note_host(hostname, pace);
  }
  void note_rules(std::string_view origin, std::string_view source, Instant good_until) override {
    work_.note_rules(origin, source, good_until);
  }
  void commit() override { work_.commit(); }

 private:
  StoredWork& work_;
  const crawler::SiteShare share_;
  std::size_t seen_bytes_max_ = 0;
  crawler::RunStorage* seen_storage_ = nullptr;
};

}  // namespace gossamer::store
