#include "store/kept_work.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/log.h"
#include "store/packing.h"

namespace gossamer::store {
namespace {

// What more() gives at once, roughly.
constexpr std::size_t kLoadAtOnce = 128;
// Of each origin in memory when there are too many in all.
constexpr std::size_t kHeadMin = 8;
constexpr std::size_t kKeyBytes = 4 + 4 + 8;

// The keys of Table::origins begin with what they are about.
constexpr char kOriginRow = 'o';
constexpr char kHostRow = 'h';
constexpr char kRulesRow = 'r';

std::string row_key(char kind, std::string_view name) { return std::string(1, kind).append(name); }

}  // namespace

KeptWork::KeptWork(Ledger& ledger, KeptWorkOptions options) : ledger_(ledger), options_(options) {
  ledger_.before_commit([this](Batch& batch) { close_chunks(batch); });
}

std::string KeptWork::key_of(const Origin& origin, Place place) {
  std::string key;
  append_big_endian(key, origin.id, 4);
  append_big_endian(key, place.rank, 4);
  append_big_endian(key, place.number);
  return key;
}

// --- what is found

KeptWork::Origin& KeptWork::origin_for(std::string_view name) {
  if (last_origin_ != nullptr && last_origin_->name == name) return *last_origin_;
  auto& slot = origins_[std::string(name)];
  if (slot == nullptr) {
    slot = std::make_unique<Origin>();
    slot->id = static_cast<std::uint32_t>(origins_.size());
    slot->name = name;
    by_id_.emplace(slot->id, slot.get());
    Packer row;
    row.number(slot->id);
    ledger_.pending().put(Table::origins, row_key(kOriginRow, name), std::move(row).take());
  }
  return *(last_origin_ = slot.get());
}

KeptWork::OpenChunk& KeptWork::chunk_for(Origin& origin, std::uint32_t rank) {
  const bool is_exact = options_.order == crawl::CrawlOrder::breadth_first;
  const std::size_t head_max =
      in_memory_ < options_.heads_max ? options_.head_max : std::min(kHeadMin, options_.head_max);
  const bool is_full = origin.in_memory >= head_max;
  // What is in memory comes before what is not, so it must not rank behind it.
  bool goes_out = origin.tail ? rank >= origin.tail->rank : is_full && rank >= origin.rank_max;
  if (!is_exact && is_full) goes_out = true;
  // Behind the tail, whatever its rank.
  if (goes_out && origin.tail) rank = std::max(rank, origin.tail->rank);
  const auto found = std::ranges::find_if(origin.open, [&](const OpenChunk& chunk) {
    return chunk.is_in_memory != goes_out && chunk.rank == rank;
  });
  if (found != origin.open.end()) return *found;

  OpenChunk chunk = {
      .number = next_number_++, .rank = rank, .is_in_memory = !goes_out, .builder = {}};
  if (goes_out) {
    if (!origin.tail) origin.tail = Place{rank, chunk.number};
  } else {
    chunks_.emplace(chunk.number,
                    Chunk{.origin = &origin, .rank = rank, .left = 0, .is_open = true});
    origin.rank_max = origin.in_memory == 0 ? rank : std::max(origin.rank_max, rank);
  }
  if (!std::exchange(origin.has_open, true)) with_open_.push_back(&origin);
  return origin.open.emplace_back(std::move(chunk));
}

KeptWork::Kept KeptWork::add(std::string_view name, std::optional<std::uint64_t> fingerprint,
                             const crawl::Target& target, std::uint32_t rank) {
  Origin& origin = origin_for(name);
  OpenChunk& chunk = chunk_for(origin, rank);
  chunk.builder.add(name, fingerprint, target);
  if (fingerprint) append_big_endian(found_, *fingerprint);
  if (chunk.is_in_memory) {
    ++chunks_.at(chunk.number).left;
    ++origin.in_memory;
    ++in_memory_;
  }
  return {.ticket = chunk.number, .is_in_memory = chunk.is_in_memory};
}

void KeptWork::close_chunks(Batch& batch) {
  const bool has_chunks = !with_open_.empty();
  for (Origin* const origin : std::exchange(with_open_, {})) {
    for (OpenChunk& open : std::exchange(origin->open, {})) {
      if (open.is_in_memory) {
        const auto chunk = chunks_.find(open.number);
        chunk->second.is_open = false;
        if (chunk->second.left == 0) {  // they have ended already
          chunks_.erase(chunk);
          continue;
        }
      }
      batch.put(Table::waiting, key_of(*origin, {open.rank, open.number}), open.builder.take());
    }
    origin->has_open = false;
  }
  if (!has_chunks && found_.empty()) return;
  // Its number is above those of the chunks, so that a new process knows which are free.
  std::string key;
  append_big_endian(key, next_number_++);
  batch.put(Table::seen, std::move(key), std::exchange(found_, {}));
}

// --- what is asked for

void KeptWork::end(std::uint64_t ticket) {
  const auto found = chunks_.find(ticket);
  CHECK(found != chunks_.end(), "no chunk {}", ticket);
  Chunk& chunk = found->second;
  CHECK(chunk.left > 0);
  --chunk.left;
  --chunk.origin->in_memory;
  --in_memory_;
  if (chunk.left > 0 || chunk.is_open) return;
  ledger_.pending().remove(Table::waiting, key_of(*chunk.origin, {chunk.rank, ticket}));
  chunks_.erase(found);
}

bool KeptWork::has_ended(std::uint64_t fingerprint) {
  std::string key;
  append_big_endian(key, fingerprint);
  const auto row = ledger_.tables().get(Table::pages, key);
  return row && row->has_value();
}

void KeptWork::load(Origin& origin, Place place, std::string_view value, More& into) {
  auto targets = read_chunk(value, origin.name);
  if (!targets) {
    LOG(error, "a chunk of {} cannot be read: {}", origin.name, targets.error().to_string());
    if (const auto head = read_chunk_head(value)) {
      into.ended.insert(into.ended.end(), head->count, head->depth);
    }
    ledger_.pending().remove(Table::waiting, key_of(origin, place));
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
    ledger_.pending().remove(Table::waiting, key_of(origin, place));
    return;
  }
  origin.rank_max = origin.in_memory == 0 ? place.rank : std::max(origin.rank_max, place.rank);
  chunks_.emplace(place.number,
                  Chunk{.origin = &origin, .rank = place.rank, .left = left, .is_open = false});
  origin.in_memory += left;
  in_memory_ += left;
}

KeptWork::More KeptWork::more(std::string_view name) {
  More loaded;
  Origin& origin = origin_for(name);
  if (!origin.tail) return loaded;
  ledger_.commit();  // what is not written yet would be missed
  if (ledger_.trouble()) return loaded;
  const std::string from = key_of(origin, *origin.tail);
  std::optional<Place> next;
  const auto scanned = ledger_.tables().scan(
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
    ledger_.fail_with(scanned.error().copy());
    return loaded;
  }
  origin.tail = next;
  return loaded;
}

// --- what is known of hosts

std::int64_t KeptWork::wall_of(Instant at) const {
  if (at == Instant::min()) return 0;
  if (at == base::kNever) return std::numeric_limits<std::int64_t>::max();
  const WallTime wall = options_.wall_start + (at - options_.loop_start);
  return wall.seconds * 1'000'000'000 + wall.nanoseconds;
}

Instant KeptWork::instant_of(std::int64_t wall) const {
  if (wall == 0) return Instant::min();
  if (wall == std::numeric_limits<std::int64_t>::max()) return base::kNever;
  const std::int64_t start =
      options_.wall_start.seconds * 1'000'000'000 + options_.wall_start.nanoseconds;
  // A clock that was set back would make pauses of days out of seconds.
  const Duration ahead = std::min(Duration(wall - start), Duration(24h));
  return options_.loop_start + ahead;
}

void KeptWork::note_host(std::string_view hostname, const crawl::PaceMemory& pace) {
  Packer row;
  row.signed_number(wall_of(pace.ready_at));
  for (const Duration part : {pace.last_took, pace.crawl_delay, pace.backoff, pace.throttle}) {
    row.signed_number(part.count());
  }
  row.number(pace.failures);
  row.number(pace.refusals);
  row.number(pace.is_own ? 1 : 0);
  ledger_.pending().put(Table::origins, row_key(kHostRow, hostname), std::move(row).take());
}

void KeptWork::note_rules(std::string_view origin, const crawl::KeptRules& rules) {
  Packer row;
  row.signed_number(wall_of(rules.good_until));
  row.text(rules.source);
  ledger_.pending().put(Table::origins, row_key(kRulesRow, origin), std::move(row).take());
}

// --- what an earlier process left

void KeptWork::recall(Recall recall) {
  recall_origins(recall);
  recall_seen(recall);
  recall_waiting(recall);
}

void KeptWork::recall_origins(Recall& recall) {
  const auto take = [&](std::string_view key, std::string_view value) {
    Unpacker row(value);
    const std::string_view name = key.substr(1);
    if (key.front() == kOriginRow) {
      auto origin = std::make_unique<Origin>();
      origin->id = static_cast<std::uint32_t>(row.number());
      origin->name = name;
      by_id_.emplace(origin->id, origin.get());
      origins_.emplace(std::string(name), std::move(origin));
    } else if (key.front() == kHostRow) {
      crawl::PaceMemory pace;
      pace.ready_at = instant_of(row.signed_number());
      for (Duration* part : {&pace.last_took, &pace.crawl_delay, &pace.backoff, &pace.throttle}) {
        *part = Duration(row.signed_number());
      }
      pace.failures = static_cast<std::uint16_t>(row.number());
      pace.refusals = static_cast<std::uint16_t>(row.number());
      pace.is_own = row.number() != 0;
      if (row.is_good()) recall.host(name, pace);
    } else if (key.front() == kRulesRow) {
      const Instant good_until = instant_of(row.signed_number());
      const crawl::KeptRules rules = {.source = row.text(), .good_until = good_until};
      if (row.is_good()) recall.rules(name, rules);
    }
    return true;
  };
  if (auto read = ledger_.tables().scan(Table::origins, {}, take); !read) {
    ledger_.fail_with(std::move(read).error());
  }
}

void KeptWork::recall_seen(Recall& recall) {
  auto read = ledger_.tables().scan(
      Table::seen, {}, [&](std::string_view key, std::string_view fingerprints) {
        for (; fingerprints.size() >= 8; fingerprints.remove_prefix(8)) {
          recall.seen(read_big_endian(fingerprints));
        }
        next_number_ = std::max(next_number_, read_big_endian(key) + 1);
        return true;
      });
  if (!read) ledger_.fail_with(std::move(read).error());
  old_numbers_ = next_number_;
}

void KeptWork::recall_waiting(Recall& recall) {
  Origin* origin = nullptr;
  std::map<std::uint16_t, std::size_t> counts;
  const auto tell = [&] {
    if (origin == nullptr) return;
    for (const auto& [depth, count] : counts) recall.waiting(origin->name, depth, count);
    counts.clear();
  };
  auto read =
      ledger_.tables().scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
        if (key.size() != kKeyBytes) return true;
        const auto id = static_cast<std::uint32_t>(read_big_endian(key, 4));
        const auto head = read_chunk_head(value);
        if (!head || !by_id_.contains(id)) return true;
        if (origin == nullptr || origin->id != id) {
          tell();
          origin = by_id_.at(id);
          origin->tail = Place{static_cast<std::uint32_t>(read_big_endian(key.substr(4), 4)),
                               read_big_endian(key.substr(8))};
        }
        counts[head->depth] += head->count;
        if (recall.target) recall_targets(*origin, value, recall);
        return true;
      });
  tell();
  if (!read) ledger_.fail_with(std::move(read).error());
}

void KeptWork::recall_targets(const Origin& origin, std::string_view value, Recall& recall) {
  const auto targets = read_chunk(value, origin.name);
  if (!targets) return;
  for (const ChunkedTarget& kept : *targets) {
    const bool waits = kept.fingerprint && !has_ended(*kept.fingerprint);
    if (waits) recall.target(*kept.fingerprint, kept.target);
  }
}

}  // namespace gossamer::store
