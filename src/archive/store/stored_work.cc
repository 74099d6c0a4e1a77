#include "store/stored_work.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/log.h"
#include "base/packing.h"
#include "frontier/frontier.h"
#include "frontier/site_number.h"
#include "store/work_recall.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

// About how many targets one call of more() returns.
constexpr std::size_t kLoadAtOnce = 128;
// The targets per origin in memory when the total is too high.
constexpr std::size_t kHeadMin = 8;
// Keys of Table::seen whose values name the sites of the fingerprints.
constexpr char kBySite = 1;
// About how many rows take_in() reads before other tasks run.
constexpr std::size_t kRowsAtOnce = 4096;
// After this many skipped rows of an origin, seeking the next origin is cheaper.
constexpr std::size_t kRowsSkipped = 16;
// With fewer origins that are away, checking which to drop is not worthwhile.
constexpr std::size_t kAwayAtOnce = 256;

}  // namespace

StoredWork::StoredWork(Journal& journal, StoredWorkOptions options)
    : journal_(journal), options_(options), names_(journal), hosts_(journal, options.clock) {
  const Journal::Lock lock = journal_.lock();
  journal_.before_commit([this](Batch& batch) {
    close_chunks(batch);
    close_counts(batch);
    if (!batch.empty()) hosts_.note_clock(batch);
  });
}

std::string StoredWork::key_of(const Origin& origin, ChunkPlace place) {
  return ChunkKey{.origin = origin.id, .place = place}.text();
}

// --- origins

StoredWork::Origin& StoredWork::origin_for(std::string_view name) {
  if (last_origin_ != nullptr && last_origin_->name == name) return *last_origin_;
  if (const auto found = origins_.find(std::string(name)); found != origins_.end()) {
    return *(last_origin_ = found->second.get());
  }
  return make_origin(name, names_.id_of(name));
}

StoredWork::Origin& StoredWork::make_origin(std::string_view name, std::uint32_t id) {
  auto made = std::make_unique<Origin>();
  made->id = id;
  made->name = name;
  made->site = crawler::site_number(crawler::host_in(name));
  last_origin_ = made.get();
  by_id_.emplace(id, made.get());
  origins_.emplace(std::string(name), std::move(made));
  return *last_origin_;
}

void StoredWork::drop_origin(Origin& origin) {
  CHECK(origin.in_memory == 0 && !origin.has_open);
  last_origin_ = nullptr;
  names_.expect_old_names();
  by_id_.erase(origin.id);
  origins_.erase(origins_.find(origin.name));
}

void StoredWork::put_away(std::string_view name, std::optional<std::uint64_t> fingerprint,
                          const crawler::Target& target, std::uint32_t rank,
                          std::span<const crawler::StoredCount> counts) {
  const Journal::Lock lock = journal_.lock();
  take_over_once();
  if (away_.size() >= drop_away_at_) drop_away();
  const bool is_new = !origins_.contains(std::string(name));
  Origin& origin = origin_for(name);
  if (is_new) {
    origin.is_away = true;
    away_.push_back(&origin);
  }
  for (const crawler::StoredCount& kept : counts)
    counts_[count_key(origin.site, kept)] = kept.count;
  note_root_place(target);
  const auto found = std::ranges::find_if(origin.open, [&](const OpenChunk& chunk) {
    return !chunk.is_in_memory && chunk.rank == rank;
  });
  OpenChunk& chunk = found != origin.open.end() ? *found : open_chunk(origin, rank, false);
  chunk.builder.add(name, fingerprint, target);
  if (fingerprint) append_big_endian(origin.found, *fingerprint);
}

void StoredWork::drop_away() {
  // After a failure, the changes of closed origins might not be written.
  if (!journal_.trouble()) {
    std::erase_if(away_, [this](Origin* origin) {
      if (origin->is_away && origin->has_open) return false;
      if (origin->is_away) drop_origin(*origin);
      return true;
    });
  }
  drop_away_at_ = std::max(kAwayAtOnce, 2 * away_.size());
}

StoredWork::TakenIn StoredWork::take_in_share(std::uint32_t from, std::uint32_t rank_max,
                                              std::size_t count_max, crawler::SiteShare share) {
  const Journal::Lock lock = journal_.lock();
  TakenIn taken;
  journal_.commit();  // so that no unwritten change is missed
  if (journal_.trouble()) return taken;
  std::uint32_t last_id = messages_.id;
  bool is_taken = false;    // the last origin was taken in
  std::size_t rows = 0;     // read
  std::size_t skipped = 0;  // of the last one
  std::optional<std::uint32_t> next = std::max(from, messages_.id + 1);
  const auto read_row = [&](std::string_view key, std::string_view row) {
    const auto id = static_cast<std::uint32_t>(read_big_endian(key, 4));
    ++rows;
    if (id != last_id) {
      if (taken.origins.size() == count_max || rows > kRowsAtOnce) {
        taken.next = id;
        return false;
      }
      last_id = id;
      skipped = 0;
      const ChunkPlace first = ChunkKey::read(key).place;
      is_taken = first.rank <= rank_max && take_in_one(id, first, share, taken);
    }
    if (is_taken) {
      if (const auto head = read_chunk_head(row)) taken.origins.back().waiting += head->count;
      return true;
    }
    if (++skipped < kRowsSkipped) return true;
    next = id + 1;
    return false;
  };
  while (next) {
    std::string begin;
    append_big_endian(begin, *std::exchange(next, std::nullopt), 4);
    auto read = journal_.tables().scan(Table::waiting, begin, read_row);
    if (!read) journal_.fail_with(std::move(read).error());
  }
  return taken;
}

bool StoredWork::take_in_one(std::uint32_t id, ChunkPlace first, crawler::SiteShare share,
                             TakenIn& taken) {
  const auto found = by_id_.find(id);
  if (found != by_id_.end() && !found->second->is_away) return false;
  const std::string name = found == by_id_.end() ? names_.name_of(id) : found->second->name;
  if (name.empty() || !share.has(crawler::site_number(crawler::host_in(name)))) return false;
  Origin& origin = found == by_id_.end() ? make_origin(name, id) : *found->second;
  origin.is_away = false;
  origin.tail = first;
  taken.origins.push_back({.name = name});
  return true;
}

bool StoredWork::can_let_go(std::string_view name, std::size_t count) {
  const Journal::Lock lock = journal_.lock();
  if (journal_.trouble()) return false;
  const auto found = origins_.find(std::string(name));
  if (found == origins_.end()) return count == 0;
  const Origin& origin = *found->second;
  return !origin.has_open && origin.in_memory == count && origin.begun == 0;
}

void StoredWork::let_go(std::string_view name, std::span<const std::uint64_t> tickets) {
  const Journal::Lock lock = journal_.lock();
  const auto found = origins_.find(std::string(name));
  if (found == origins_.end()) return;
  Origin& origin = *found->second;
  for (const std::uint64_t ticket : tickets) chunks_.erase(ticket);
  origin.in_memory -= tickets.size();
  in_memory_ -= tickets.size();
  // It may still be listed as away.
  std::erase(away_, &origin);
  drop_origin(origin);
}

// --- found targets

StoredWork::OpenChunk& StoredWork::chunk_for(Origin& origin, std::uint32_t rank) {
  const bool is_exact = options_.order == crawler::CrawlOrder::breadth_first;
  const std::size_t head_max =
      in_memory_ < options_.heads_max ? options_.head_max : std::min(kHeadMin, options_.head_max);
  const bool is_full = origin.in_memory >= head_max;
  // Targets in memory come before those on disk, so they must not rank after them.
  bool goes_out = origin.tail ? rank >= origin.tail->rank : is_full && rank >= origin.rank_max;
  if (!is_exact && is_full) goes_out = true;
  // After the tail, whatever its rank.
  if (goes_out && origin.tail) rank = std::max(rank, origin.tail->rank);
  const auto found = std::ranges::find_if(origin.open, [&](const OpenChunk& chunk) {
    return chunk.is_in_memory != goes_out && chunk.rank == rank;
  });
  return found != origin.open.end() ? *found : open_chunk(origin, rank, !goes_out);
}

StoredWork::OpenChunk& StoredWork::open_chunk(Origin& origin, std::uint32_t rank,
                                              bool is_in_memory) {
  OpenChunk chunk = {
      .number = next_number_++, .rank = rank, .is_in_memory = is_in_memory, .builder = {}};
  if (is_in_memory) {
    chunks_.emplace(chunk.number,
                    Chunk{.origin = &origin, .rank = rank, .left = 0, .is_open = true});
    origin.rank_max = origin.in_memory == 0 ? rank : std::max(origin.rank_max, rank);
  } else if (const ChunkPlace place{rank, chunk.number}; !origin.tail || place < *origin.tail) {
    origin.tail = place;
  }
  if (!std::exchange(origin.has_open, true)) with_open_.push_back(&origin);
  return origin.open.emplace_back(std::move(chunk));
}

void StoredWork::count_in(Origin& origin, std::uint64_t number) {
  ++chunks_.at(number).left;
  ++origin.in_memory;
  ++in_memory_;
}

// Some counts change with every link of a page; each is written once.
void StoredWork::close_counts(Batch& batch) {
  for (const auto& [key, count] : std::exchange(counts_, {})) {
    Packer row;
    row.number(count);
    batch.put(Table::origins, key, std::move(row).take());
  }
}

void StoredWork::note_linked(std::string_view origin, std::uint64_t fingerprint) {
  const Journal::Lock lock = journal_.lock();
  const std::uint16_t site = crawler::site_number(crawler::host_in(origin));
  counts_[count_key(site, {.what = crawler::Counted::guesses, .key = fingerprint})] = 2;
  if (on_linked_) on_linked_(fingerprint);
}

// The row of the redirecting page may be written later, even by another process. Links found at the
// target until then belong to the crawl, too.
void StoredWork::note_root_place(const crawler::Target& target) {
  if (!target.is_root() || target.via.url().empty()) return;
  journal_.pending().put(Table::meta, std::string(kRootPlaceKey) + target.url,
                         std::string(target.via.url()));
}

StoredWork::Stored StoredWork::add(std::string_view name, std::optional<std::uint64_t> fingerprint,
                                   const crawler::Target& target, std::uint32_t rank,
                                   std::span<const crawler::StoredCount> counts) {
  const Journal::Lock lock = journal_.lock();
  Origin& origin = origin_for(name);
  origin.is_away = false;
  for (const crawler::StoredCount& count : counts)
    counts_[count_key(origin.site, count)] = count.count;
  note_root_place(target);
  OpenChunk& chunk = chunk_for(origin, rank);
  chunk.builder.add(name, fingerprint, target);
  if (fingerprint) append_big_endian(origin.found, *fingerprint);
  if (chunk.is_in_memory) count_in(origin, chunk.number);
  return {.ticket = chunk.number, .is_in_memory = chunk.is_in_memory};
}

std::uint64_t StoredWork::send(std::optional<std::uint64_t> fingerprint,
                               const crawler::Target& target) {
  const Journal::Lock lock = journal_.lock();
  note_root_place(target);
  OpenChunk& chunk =
      messages_.open.empty() ? open_chunk(messages_, 0, true) : messages_.open.front();
  chunk.builder.add(messages_.name, fingerprint, target);
  count_in(messages_, chunk.number);
  return chunk.number;
}

void StoredWork::close_chunks(Batch& batch) {
  if (with_open_.empty()) return;
  Packer found;
  for (Origin* const origin : std::exchange(with_open_, {})) {
    for (OpenChunk& open : std::exchange(origin->open, {})) {
      if (open.is_in_memory) {
        const auto chunk = chunks_.find(open.number);
        chunk->second.is_open = false;
        if (chunk->second.left == 0) {  // all are finished
          --origin->begun;
          chunks_.erase(chunk);
          continue;
        }
      }
      batch.put(Table::waiting, key_of(*origin, {open.rank, open.number}), open.builder.take());
    }
    origin->has_open = false;
    if (origin->found.empty()) continue;
    found.number(origin->site);
    found.text(std::exchange(origin->found, {}));
  }
  // Its number is above those of the chunks, so that a new process knows the free numbers.
  std::string key;
  append_big_endian(key, next_number_++);
  key.push_back(kBySite);
  batch.put(Table::seen, std::move(key), std::move(found).take());
}

// --- fetched targets

void StoredWork::end(std::uint64_t ticket) {
  const Journal::Lock lock = journal_.lock();
  const auto found = chunks_.find(ticket);
  CHECK(found != chunks_.end(), "no chunk {}", ticket);
  Chunk& chunk = found->second;
  CHECK(chunk.left > 0);
  --chunk.left;
  --chunk.origin->in_memory;
  --in_memory_;
  if (std::exchange(chunk.is_whole, false)) ++chunk.origin->begun;
  if (chunk.left > 0 || chunk.is_open) return;
  --chunk.origin->begun;
  journal_.pending().remove(Table::waiting, key_of(*chunk.origin, {chunk.rank, ticket}));
  chunks_.erase(found);
}

void StoredWork::load(Origin& origin, ChunkPlace place, std::string_view value, More& into) {
  auto targets = read_chunk(value, origin.name);
  if (!targets) {
    LOG(error, "cannot read a chunk of {}: {}", origin.name, targets.error().message());
    if (const auto head = read_chunk_head(value)) {
      into.ended.insert(into.ended.end(), head->count, head->depth);
    }
    journal_.pending().remove(Table::waiting, key_of(origin, place));
    return;
  }
  std::size_t left = 0;
  for (ChunkedTarget& kept : *targets) {
    const bool is_old = place.number < old_numbers_ && kept.fingerprint;
    if (is_old && has_ended(journal_.tables(), *kept.fingerprint)) {
      into.ended.push_back(kept.target.depth);
      continue;
    }
    kept.target.ticket = place.number;
    into.targets.push_back(std::move(kept.target));
    ++left;
  }
  if (left == 0) {
    journal_.pending().remove(Table::waiting, key_of(origin, place));
    return;
  }
  origin.rank_max = origin.in_memory == 0 ? place.rank : std::max(origin.rank_max, place.rank);
  const bool is_whole = left == targets->size();
  if (!is_whole) ++origin.begun;
  chunks_.emplace(place.number, Chunk{.origin = &origin,
                                      .rank = place.rank,
                                      .left = left,
                                      .is_open = false,
                                      .is_whole = is_whole});
  origin.in_memory += left;
  in_memory_ += left;
}

StoredWork::More StoredWork::more(std::string_view name) {
  const Journal::Lock lock = journal_.lock();
  More loaded;
  Origin& origin = origin_for(name);
  if (!origin.tail) return loaded;
  journal_.commit();  // so that no unwritten change is missed
  if (journal_.trouble()) return loaded;
  const std::string from = key_of(origin, *origin.tail);
  std::optional<ChunkPlace> next;
  const auto scanned = journal_.tables().scan(
      Table::waiting, from, [&](std::string_view key, std::string_view value) {
        if (key.substr(0, 4) != std::string_view(from).substr(0, 4)) return false;
        const ChunkPlace place = ChunkKey::read(key).place;
        if (loaded.targets.size() + loaded.ended.size() >= kLoadAtOnce) {
          next = place;
          return false;
        }
        if (!chunks_.contains(place.number)) load(origin, place, value, loaded);
        return true;
      });
  if (!scanned) {
    journal_.fail_with(scanned.error().copy());
    return loaded;
  }
  origin.tail = next;
  return loaded;
}

// --- the state of an earlier process

void StoredWork::recall_share(Recall recall, crawler::SiteShare share) {
  {
    const Journal::Lock lock = journal_.lock();
    take_over_once();
    if (recall.message) recall_messages(recall, share);
  }
  // Without the lock, since it takes long and other loops work on other sites meanwhile.
  const Tables& tables = journal_.tables();
  auto read = recall_hosts(tables, recall, share);
  if (read && recall.count) read = recall_counts(tables, recall, share);
  if (read) read = recall_seen(tables, recall, share);
  if (read) read = recall_waiting(tables, recall, share);
  if (!read) journal_.fail_with(std::move(read).error());
}

void StoredWork::take_over_once() {
  if (std::exchange(has_taken_over_, true)) return;
  hosts_.take_over();
  auto read = names_.take_over();
  if (!read) return journal_.fail_with(std::move(read).error());
  read = journal_.tables().scan_back(Table::seen, std::string(ChunkKey::kBytes, '\xFF'),
                                     [&](std::string_view key, std::string_view) {
                                       next_number_ =
                                           std::max(next_number_, read_big_endian(key) + 1);
                                       return false;
                                     });
  if (!read) return journal_.fail_with(std::move(read).error());
  old_numbers_ = next_number_;
  take_over_messages();
}

void StoredWork::take_over_messages() {
  auto read =
      journal_.tables().scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
        if (key.size() != ChunkKey::kBytes) return false;
        const ChunkKey read_key = ChunkKey::read(key);
        if (read_key.origin != messages_.id) return false;
        const std::uint64_t number = read_key.place.number;
        auto targets = read_chunk(value, messages_.name);
        if (!targets) {
          LOG(error, "cannot read messages: {}", targets.error().message());
          return true;
        }
        chunks_.emplace(number,
                        Chunk{.origin = &messages_, .rank = 0, .left = 0, .is_open = false});
        for (ChunkedTarget& kept : *targets) {
          kept.target.ticket = number;
          unopened_.push_back(std::move(kept));
          count_in(messages_, number);
        }
        return true;
      });
  if (!read) journal_.fail_with(std::move(read).error());
}

Result<void> StoredWork::put_back(const std::vector<ChunkedTarget>& ended) {
  const Journal::Lock lock = journal_.lock();
  take_over_once();
  std::map<std::string, const ChunkedTarget*, std::less<>> missing;
  for (const ChunkedTarget& one : ended) missing.emplace(one.target.url, &one);
  // An unfinished chunk still contains all its targets, so these are not missing. A copy at another
  // depth does not count: it was found there before a shorter path was found.
  auto read = scan_waiting(journal_.tables(), [&](std::string_view name, std::string_view chunk) {
    const auto targets = read_chunk(chunk, name);
    for (std::size_t i = 0; targets && i < targets->size(); ++i) {
      const crawler::Target& waiting = (*targets)[i].target;
      const auto found = missing.find(waiting.url);
      if (found == missing.end()) continue;
      if (found->second->target.depth == waiting.depth) missing.erase(found);
    }
    return !missing.empty();
  });
  if (!read) return read;
  for (const auto& [text, one] : missing) {
    const auto url = url::Url::parse(text);
    if (!url) continue;
    add(crawler::origin_text(*url), one->fingerprint, one->target,
        crawler::rank_of(one->target, options_.order), {});
  }
  return {};
}

void StoredWork::recall_messages(Recall& recall, crawler::SiteShare share) {
  std::vector<ChunkedTarget> others;
  for (ChunkedTarget& message : std::exchange(unopened_, {})) {
    if (!share.has(crawler::site_number(crawler::host_in(message.target.url)))) {
      others.push_back(std::move(message));
      continue;
    }
    // Messages to several loops may share a URL, but a Referrer belongs to one loop.
    if (const std::string_view via = message.target.via.url(); !via.empty()) {
      message.target.via = crawler::Referrer(std::string(via));
    }
    recall.message(message.fingerprint, std::move(message.target));
  }
  unopened_ = std::move(others);
}

std::optional<crawler::SeenSpill> StoredShare::seen_spill() {
  if (seen_storage_ == nullptr) return std::nullopt;
  return crawler::SeenSpill{.bytes_max = seen_bytes_max_,
                            .storage = seen_storage_,
                            .on_failure = [this](const Error& error) {
                              work_.fail_with(error.copy().with_context("while storing seen URLs"));
                            }};
}

}  // namespace gossamer::store
