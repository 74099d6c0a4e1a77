#include "store/stored_hosts.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/packing.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

constexpr std::string_view kClockKey = "clock";  // of Table::meta

}  // namespace

void StoredHosts::take_over() {
  const auto clock = journal_.tables().get(Table::meta, kClockKey);
  if (clock && *clock) last_clock_ = Unpacker(**clock).signed_number();
}

std::int64_t StoredHosts::wall_of(Instant at) const {
  if (at == Instant::min()) return 0;
  if (at == base::kNever) return std::numeric_limits<std::int64_t>::max();
  return clock_start() + (at - clock_.loop_start).count();
}

// The directory's clock never runs backwards. Otherwise a pause of seconds could become a pause of
// days when the time of day is set back.
std::int64_t StoredHosts::clock_start() const {
  const WallTime& start = clock_.wall_start;
  return std::max(start.seconds * 1'000'000'000 + start.nanoseconds, last_clock_);
}

Instant StoredHosts::instant_of(std::int64_t wall) const {
  if (wall == 0) return Instant::min();
  if (wall == std::numeric_limits<std::int64_t>::max()) return base::kNever;
  const Instant start = clock_.loop_start;
  const Instant now = clock_.now == nullptr ? start : std::max(start, clock_.now());
  return std::min(start + Duration(wall - clock_start()), now + Duration(24h));
}

void StoredHosts::note_clock(Batch& batch) const {
  if (clock_.now == nullptr) return;
  Packer row;
  row.signed_number(wall_of(clock_.now()));
  batch.put(Table::meta, std::string(kClockKey), std::move(row).take());
}

void StoredHosts::note_host(std::string_view hostname, const crawler::PaceMemory& pace) {
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
  journal_.pending().put(Table::origins, origin_key(OriginRow::host, hostname),
                         std::move(row).take());
}

void StoredHosts::note_rules(std::string_view origin, std::string_view source, Instant good_until) {
  const Journal::Lock lock = journal_.lock();
  Packer row;
  row.signed_number(wall_of(good_until));
  row.text(source);
  journal_.pending().put(Table::origins, origin_key(OriginRow::rules, origin),
                         std::move(row).take());
}

std::optional<crawler::PaceMemory> StoredHosts::pace_of(std::string_view hostname) {
  const Journal::Lock lock = journal_.lock();
  auto kept = journal_.tables().get(Table::origins, origin_key(OriginRow::host, hostname));
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

std::optional<crawler::StoredRules> StoredHosts::rules_of(std::string_view origin) {
  const Journal::Lock lock = journal_.lock();
  auto kept = journal_.tables().get(Table::origins, origin_key(OriginRow::rules, origin));
  if (!kept) journal_.fail_with(std::move(kept).error());
  if (!kept || !*kept) return std::nullopt;
  Unpacker row(**kept);
  crawler::StoredRules rules;
  rules.good_until = instant_of(row.signed_number());
  rules.source = row.text();
  return row.is_good() ? std::optional(std::move(rules)) : std::nullopt;
}

}  // namespace gossamer::store
