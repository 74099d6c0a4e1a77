// Keeps origins in memory or drops them, and stores the state of hosts.

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/check.h"
#include "crawl/shards/site_number.h"
#include "store/packing.h"
#include "store/stored_work.h"

namespace gossamer::store {
namespace {

// About how many rows take_in() reads before other tasks run.
constexpr std::size_t kRowsAtOnce = 4096;
// After this many skipped rows of an origin, seeking the next origin is cheaper.
constexpr std::size_t kRowsSkipped = 16;
// With fewer origins that are away, checking which to drop is not worthwhile.
constexpr std::size_t kAwayAtOnce = 256;

}  // namespace

std::string StoredWork::row_key(char kind, std::string_view name) {
  return std::string(1, kind).append(name);
}

std::string StoredWork::name_key(std::uint32_t id) {
  std::string key(1, kNameRow);
  append_big_endian(key, id, 4);
  return key;
}

std::string StoredWork::name_of(std::uint32_t id) {
  auto row = journal_.tables().get(Table::origins, name_key(id));
  if (!row) journal_.fail_with(std::move(row).error());
  return row && *row ? std::move(**row) : std::string();
}

// --- origins

StoredWork::Origin& StoredWork::origin_for(std::string_view name) {
  if (last_origin_ != nullptr && last_origin_->name == name) return *last_origin_;
  if (const auto found = origins_.find(std::string(name)); found != origins_.end()) {
    return *(last_origin_ = found->second.get());
  }
  if (has_history_) {
    auto row = journal_.tables().get(Table::origins, row_key(kOriginRow, name));
    if (!row) journal_.fail_with(std::move(row).error());
    if (row && *row) {
      return make_origin(name, static_cast<std::uint32_t>(Unpacker(**row).number()));
    }
  }
  const std::uint32_t id = next_id_++;
  Packer row;
  row.number(id);
  journal_.pending().put(Table::origins, row_key(kOriginRow, name), std::move(row).take());
  journal_.pending().put(Table::origins, name_key(id), std::string(name));
  return make_origin(name, id);
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
  has_history_ = true;
  by_id_.erase(origin.id);
  origins_.erase(origins_.find(origin.name));
}

void StoredWork::put_away(std::string_view name, std::optional<std::uint64_t> fingerprint,
                          const crawler::Target& target, std::uint32_t rank,
                          std::span<const crawler::StoredCount> counts) {
  const Journal::Lock lock = journal_.lock();
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
      const Place first = {.rank = static_cast<std::uint32_t>(read_big_endian(key.substr(4), 4)),
                           .number = read_big_endian(key.substr(8))};
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

bool StoredWork::take_in_one(std::uint32_t id, Place first, crawler::SiteShare share,
                             TakenIn& taken) {
  const auto found = by_id_.find(id);
  if (found != by_id_.end() && !found->second->is_away) return false;
  const std::string name = found == by_id_.end() ? name_of(id) : found->second->name;
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

// --- the state of hosts

std::int64_t StoredWork::wall_of(Instant at) const {
  if (at == Instant::min()) return 0;
  if (at == base::kNever) return std::numeric_limits<std::int64_t>::max();
  return clock_start() + (at - options_.loop_start).count();
}

// The directory's clock never runs backwards. Otherwise a pause of seconds could become a pause of
// days when the time of day is set back.
std::int64_t StoredWork::clock_start() const {
  const WallTime& start = options_.wall_start;
  return std::max(start.seconds * 1'000'000'000 + start.nanoseconds, last_clock_);
}

Instant StoredWork::instant_of(std::int64_t wall) const {
  if (wall == 0) return Instant::min();
  if (wall == std::numeric_limits<std::int64_t>::max()) return base::kNever;
  const Instant start = options_.loop_start;
  const Instant now = options_.now == nullptr ? start : std::max(start, options_.now());
  return std::min(start + Duration(wall - clock_start()), now + Duration(24h));
}

void StoredWork::note_clock(Batch& batch) const {
  if (options_.now == nullptr) return;
  Packer row;
  row.signed_number(wall_of(options_.now()));
  batch.put(Table::meta, std::string(kClockKey), std::move(row).take());
}

void StoredWork::note_host(std::string_view hostname, const crawler::PaceMemory& pace) {
  const Journal::Lock lock = journal_.lock();
  Packer row;
  row.signed_number(wall_of(pace.ready_at));
  for (const Duration part : {pace.last_took, pace.crawl_delay, pace.backoff, pace.throttle}) {
    row.signed_number(part.count());
  }
  row.number(pace.failures);
  row.number(pace.refusals);
  row.number(pace.is_own ? 1 : 0);
  row.number(pace.has_answered ? 1 : 0);
  journal_.pending().put(Table::origins, row_key(kHostRow, hostname), std::move(row).take());
}

void StoredWork::note_rules(std::string_view origin, std::string_view source, Instant good_until) {
  const Journal::Lock lock = journal_.lock();
  Packer row;
  row.signed_number(wall_of(good_until));
  row.text(source);
  journal_.pending().put(Table::origins, row_key(kRulesRow, origin), std::move(row).take());
}

std::optional<crawler::PaceMemory> StoredWork::pace_of(std::string_view hostname) {
  const Journal::Lock lock = journal_.lock();
  auto kept = journal_.tables().get(Table::origins, row_key(kHostRow, hostname));
  if (!kept) journal_.fail_with(std::move(kept).error());
  if (!kept || !*kept) return std::nullopt;
  Unpacker row(**kept);
  crawler::PaceMemory pace;
  pace.ready_at = instant_of(row.signed_number());
  for (Duration* part : {&pace.last_took, &pace.crawl_delay, &pace.backoff, &pace.throttle}) {
    *part = Duration(row.signed_number());
  }
  pace.failures = static_cast<std::uint16_t>(row.number());
  pace.refusals = static_cast<std::uint16_t>(row.number());
  pace.is_own = row.number() != 0;
  pace.has_answered = !row.is_at_end() && row.number() != 0;  // older rows are shorter
  return row.is_good() ? std::optional(pace) : std::nullopt;
}

std::optional<crawler::StoredRules> StoredWork::rules_of(std::string_view origin) {
  const Journal::Lock lock = journal_.lock();
  auto kept = journal_.tables().get(Table::origins, row_key(kRulesRow, origin));
  if (!kept) journal_.fail_with(std::move(kept).error());
  if (!kept || !*kept) return std::nullopt;
  Unpacker row(**kept);
  crawler::StoredRules rules;
  rules.good_until = instant_of(row.signed_number());
  rules.source = row.text();
  return row.is_good() ? std::optional(std::move(rules)) : std::nullopt;
}

}  // namespace gossamer::store
