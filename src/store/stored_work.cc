#include "store/stored_work.h"

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "crawl/shards/site_number.h"
#include "store/packing.h"

namespace gossamer::store {
namespace {

// About how many targets one call of more() returns.
constexpr std::size_t kLoadAtOnce = 128;
// The targets per origin in memory when the total is too high.
constexpr std::size_t kHeadMin = 8;
// Keys of Table::seen whose values name the sites of the fingerprints.
constexpr char kBySite = 1;

}  // namespace

StoredWork::StoredWork(Journal& journal, StoredWorkOptions options)
    : journal_(journal), options_(options) {
  const Journal::Lock lock = journal_.lock();
  journal_.before_commit([this](Batch& batch) {
    close_chunks(batch);
    close_counts(batch);
    if (!batch.empty()) note_clock(batch);
  });
}

std::string StoredWork::key_of(const Origin& origin, Place place) {
  std::string key;
  append_big_endian(key, origin.id, 4);
  append_big_endian(key, place.rank, 4);
  append_big_endian(key, place.number);
  return key;
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
  } else if (const Place place{rank, chunk.number}; !origin.tail || place < *origin.tail) {
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

bool StoredWork::has_ended(std::uint64_t fingerprint) {
  std::string key;
  append_big_endian(key, fingerprint);
  const auto row = journal_.tables().get(Table::pages, key);
  return row && row->has_value();
}

void StoredWork::load(Origin& origin, Place place, std::string_view value, More& into) {
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
    if (is_old && has_ended(*kept.fingerprint)) {
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
  std::optional<Place> next;
  const auto scanned = journal_.tables().scan(
      Table::waiting, from, [&](std::string_view key, std::string_view value) {
        if (key.substr(0, 4) != std::string_view(from).substr(0, 4)) return false;
        const Place place = {.rank = static_cast<std::uint32_t>(read_big_endian(key.substr(4), 4)),
                             .number = read_big_endian(key.substr(8))};
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

std::optional<crawler::SeenSpill> StoredShare::seen_spill() {
  if (seen_storage_ == nullptr) return std::nullopt;
  return crawler::SeenSpill{.bytes_max = seen_bytes_max_,
                            .storage = seen_storage_,
                            .on_failure = [this](const Error& error) {
                              work_.fail_with(error.copy().with_context("while storing seen URLs"));
                            }};
}

}  // namespace gossamer::store
