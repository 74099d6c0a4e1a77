#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "crawl/backlog.h"
#include "crawl/target_queue.h"
#include "store/ledger.h"
#include "store/work_chunk.h"

namespace gossamer::store {

struct KeptWorkOptions {
  crawl::CrawlOrder order = crawl::CrawlOrder::breadth_first;
  // What the loop's clock means outside this process.
  WallTime wall_start;
  Instant loop_start;
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
class KeptWork final : public crawl::Backlog {
 public:
  // BORROWS: the ledger.
  KeptWork(Ledger& ledger, KeptWorkOptions options);

  void recall(Recall recall) override;
  Kept add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
           const crawl::Target& target, std::uint32_t rank) override;
  More more(std::string_view origin) override;
  void end(std::uint64_t ticket) override;
  void note_host(std::string_view hostname, const crawl::PaceMemory& pace) override;
  void note_rules(std::string_view origin, const crawl::KeptRules& rules) override;
  void commit() override { ledger_.commit(); }

  std::size_t in_memory() const noexcept { return in_memory_; }

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
    std::size_t in_memory = 0;
    std::uint32_t rank_max = 0;  // of those in memory, ever since there were none
    std::optional<Place> tail;   // the first that is not in memory, and all behind it
    std::vector<OpenChunk> open;
    bool has_open = false;  // it is in with_open_
  };
  // A chunk of which targets are in memory.
  struct Chunk {
    Origin* origin;
    std::uint32_t rank;
    std::size_t left;  // that have not ended
    bool is_open;
  };

  Origin& origin_for(std::string_view name);
  OpenChunk& chunk_for(Origin& origin, std::uint32_t rank);
  void close_chunks(Batch& batch);
  void load(Origin& origin, Place place, std::string_view value, More& into);
  bool has_ended(std::uint64_t fingerprint);
  static std::string key_of(const Origin& origin, Place place);

  void recall_origins(Recall& recall);
  void recall_seen(Recall& recall);
  void recall_waiting(Recall& recall);
  void recall_targets(const Origin& origin, std::string_view value, Recall& recall);

  std::int64_t wall_of(Instant at) const;
  Instant instant_of(std::int64_t wall) const;

  Ledger& ledger_;
  const KeptWorkOptions options_;
  std::unordered_map<std::string, std::unique_ptr<Origin>> origins_;
  std::unordered_map<std::uint32_t, Origin*> by_id_;
  Origin* last_origin_ = nullptr;
  std::unordered_map<std::uint64_t, Chunk> chunks_;  // by number, which is the ticket
  std::vector<Origin*> with_open_;
  std::string found_;  // fingerprints since the last commit
  std::uint64_t next_number_ = 1;
  std::uint64_t old_numbers_ = 0;  // below: of an earlier process
  std::size_t in_memory_ = 0;
};

}  // namespace gossamer::store
