#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "frontier/backlog.h"
#include "frontier/site_number.h"
#include "frontier/target_queue.h"
#include "store/journal.h"
#include "store/origin_names.h"
#include "store/stored_hosts.h"
#include "store/work_chunk.h"
#include "store/work_rows.h"

namespace gossamer::store {

// Keys in Table::meta: this and the redirect target of a root. The value is the URL that redirects.
inline constexpr std::string_view kRootPlaceKey = "root-place ";

struct StoredWorkOptions {
  crawler::CrawlOrder order = crawler::CrawlOrder::breadth_first;
  StoredClock clock;
  // About this many targets per origin are in memory; the others are in the tables.
  std::size_t head_max = 4096;
  // For all origins together. Beyond that, each has a few.
  std::size_t heads_max = 1'000'000;
};

// The queue of a crawl in tables: everything is on disk, and the heads are also in memory.
//
// Targets that were found together are stored together in a chunk, so a page costs a few writes
// instead of one per link. A chunk is removed when its last target is finished. The table of pages
// shows which targets are finished, so nothing is written for each of them.
//
// Except in breadth-first order, targets on disk are only roughly ordered.
//
// For an origin that is away, only targets since the last commit are in memory.
//
// All loops of a crawl share it, under the journal's lock; each has its own sites (StoredShare).
class StoredWork final : public crawler::Backlog {
 public:
  // BORROWS: the journal.
  StoredWork(Journal& journal, StoredWorkOptions options);

  void recall(Recall recall) override { recall_share(std::move(recall), {}); }
  // The same for the sites of one of several loops. The number of loops may differ from the earlier
  // process.
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
  void note_linked(std::string_view origin, std::uint64_t fingerprint) override;
  // Sets a function that is called by note_linked(), with the journal's lock held.
  void on_linked(std::move_only_function<void(std::uint64_t fingerprint)> callback) {
    on_linked_ = std::move(callback);
  }
  std::optional<crawler::PaceMemory> pace_of(std::string_view hostname) override {
    return hosts_.pace_of(hostname);
  }
  std::optional<crawler::StoredRules> rules_of(std::string_view origin) override {
    return hosts_.rules_of(origin);
  }
  std::uint64_t send(std::optional<std::uint64_t> fingerprint,
                     const crawler::Target& target) override;
  // Queues finished targets again, once each, as if they had never been fetched. The caller removes
  // their rows with the same commit. REQUIRES: no loop has recalled yet.
  Result<void> put_back(const std::vector<ChunkedTarget>& ended);
  void end(std::uint64_t ticket) override;
  void note_host(std::string_view hostname, const crawler::PaceMemory& pace) override {
    hosts_.note_host(hostname, pace);
  }
  void note_rules(std::string_view origin, std::string_view source, Instant good_until) override {
    hosts_.note_rules(origin, source, good_until);
  }
  void commit() override { journal_.commit(); }
  // The state is no longer reliable.
  void fail_with(Error error) { journal_.fail_with(std::move(error)); }

  // The number of targets in memory.
  std::size_t in_memory() const noexcept { return in_memory_; }
  // The number of origins with something in memory.
  std::size_t origins_in_memory() const noexcept { return origins_.size(); }

 private:
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
    std::size_t begun = 0;       // chunks in memory with finished and unfinished targets
    std::uint32_t rank_max = 0;  // the maximum in memory since there were none
    std::optional<ChunkPlace>
        tail;  // the first chunk that is only on disk; all later ones are, too
    std::vector<OpenChunk> open;
    std::string found;      // fingerprints since the last commit
    bool has_open = false;  // listed in with_open_
    bool is_away = false;   // listed in away_
  };
  // A chunk with targets in memory.
  struct Chunk {
    Origin* origin;
    std::uint32_t rank;
    std::size_t left;  // unfinished targets
    bool is_open;
    bool is_whole = true;  // no target is finished
  };

  Origin& origin_for(std::string_view name);
  Origin& make_origin(std::string_view name, std::uint32_t id);
  void drop_origin(Origin& origin);
  bool take_in_one(std::uint32_t id, ChunkPlace first, crawler::SiteShare share, TakenIn& taken);
  // Origins that are away leave memory when all their changes are written.
  void drop_away();
  OpenChunk& chunk_for(Origin& origin, std::uint32_t rank);
  OpenChunk& open_chunk(Origin& origin, std::uint32_t rank, bool is_in_memory);
  void count_in(Origin& origin, std::uint64_t number);
  void close_chunks(Batch& batch);
  void close_counts(Batch& batch);
  void note_root_place(const crawler::Target& target);
  void load(Origin& origin, ChunkPlace place, std::string_view value, More& into);
  static std::string key_of(const Origin& origin, ChunkPlace place);

  // Reads what an earlier process left, once, before everything else.
  void take_over_once();
  void take_over_messages();
  void recall_messages(Recall& recall, crawler::SiteShare share);

  Journal& journal_;
  const StoredWorkOptions options_;
  OriginNames names_;
  StoredHosts hosts_;
  std::unordered_map<std::string, std::unique_ptr<Origin>> origins_;
  std::unordered_map<std::uint32_t, Origin*> by_id_;
  Origin* last_origin_ = nullptr;
  std::unordered_map<std::uint64_t, Chunk> chunks_;  // by number; it is the ticket
  std::vector<Origin*> with_open_;
  std::vector<Origin*> away_;     // in memory until the next commit
  std::size_t drop_away_at_ = 0;  // the number of these at which to drop them
  std::unordered_map<std::string, std::uint32_t> counts_;  // since the last commit, by their keys
  // A pseudo origin for targets in transfer between loops. Its id is unique.
  Origin messages_{.id = kMessagesId};
  std::vector<ChunkedTarget> unopened_;  // those of an earlier process that no loop has fetched yet
  std::move_only_function<void(std::uint64_t)> on_linked_;  // may be empty
  bool has_taken_over_ = false;
  std::uint64_t next_number_ = 1;
  std::uint64_t old_numbers_ = 0;  // smaller numbers are of an earlier process
  std::size_t in_memory_ = 0;
};

// The view of one of several loops.
class StoredShare final : public crawler::Backlog {
 public:
  // BORROWS: the work.
  StoredShare(StoredWork& work, crawler::SiteShare share) noexcept : work_(work), share_(share) {}

  // Sets the memory and the storage of seen URLs. BORROWS: the storage.
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
  void note_linked(std::string_view origin, std::uint64_t fingerprint) override {
    work_.note_linked(origin, fingerprint);
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
