// What a crawl leaves for another process, and what that process is told.

#include <algorithm>
#include <limits>
#include <map>

#include "base/log.h"
#include "crawl/frontier.h"
#include "crawl/site_number.h"
#include "crawl/target_queue.h"
#include "store/kept_work.h"
#include "store/packing.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kKeyBytes = 4 + 4 + 8;
constexpr std::string_view kClockKey = "clock";

}  // namespace

std::string KeptWork::row_key(char kind, std::string_view name) {
  return std::string(1, kind).append(name);
}

// --- what is known of hosts

std::int64_t KeptWork::wall_of(Instant at) const {
  if (at == Instant::min()) return 0;
  if (at == base::kNever) return std::numeric_limits<std::int64_t>::max();
  return clock_start() + (at - options_.loop_start).count();
}

// The directory's clock is never set back, so that what was to come when it was last looked at is
// still to come, and no more: else pauses of seconds would become pauses of days.
std::int64_t KeptWork::clock_start() const {
  const WallTime& start = options_.wall_start;
  return std::max(start.seconds * 1'000'000'000 + start.nanoseconds, last_clock_);
}

Instant KeptWork::instant_of(std::int64_t wall) const {
  if (wall == 0) return Instant::min();
  if (wall == std::numeric_limits<std::int64_t>::max()) return base::kNever;
  return options_.loop_start + std::min(Duration(wall - clock_start()), Duration(24h));
}

void KeptWork::note_clock(Batch& batch) const {
  if (options_.now == nullptr) return;
  Packer row;
  row.signed_number(wall_of(options_.now()));
  batch.put(Table::meta, std::string(kClockKey), std::move(row).take());
}

void KeptWork::note_host(std::string_view hostname, const crawl::PaceMemory& pace) {
  const Ledger::Lock lock = ledger_.lock();
  Packer row;
  row.signed_number(wall_of(pace.ready_at));
  for (const Duration part : {pace.last_took, pace.crawl_delay, pace.backoff, pace.throttle}) {
    row.signed_number(part.count());
  }
  row.number(pace.failures);
  row.number(pace.refusals);
  row.number(pace.is_own ? 1 : 0);
  row.number(pace.has_answered ? 1 : 0);
  ledger_.pending().put(Table::origins, row_key(kHostRow, hostname), std::move(row).take());
}

void KeptWork::note_rules(std::string_view origin, const crawl::KeptRules& rules) {
  const Ledger::Lock lock = ledger_.lock();
  Packer row;
  row.signed_number(wall_of(rules.good_until));
  row.text(rules.source);
  ledger_.pending().put(Table::origins, row_key(kRulesRow, origin), std::move(row).take());
}

std::string KeptWork::count_key(std::uint16_t site, const crawl::KeptCount& kept) {
  std::string key(1, kCountRow);
  append_big_endian(key, site, 2);
  key.push_back(static_cast<char>(kept.what));
  append_big_endian(key, kept.key);
  return key;
}

// --- what an earlier process left

void KeptWork::recall_share(Recall recall, crawl::SiteShare share) {
  Owned origins;
  {
    const Ledger::Lock lock = ledger_.lock();
    if (!std::exchange(has_taken_over_, true)) take_over();
    origins = owned_by(share);
    if (recall.letter) recall_letters(recall, share);
  }
  // Without the lock, since it takes long: other loops are at work on other sites meanwhile.
  recall_hosts(recall, share);
  if (recall.count) recall_counts(recall, share);
  recall_seen(recall, share);
  recall_waiting(recall, origins);
}

void KeptWork::take_over() {
  const auto clock = ledger_.tables().get(Table::meta, kClockKey);
  if (clock && *clock) last_clock_ = Unpacker(**clock).signed_number();
  auto read = ledger_.tables().scan(
      Table::origins, row_key(kOriginRow, {}), [&](std::string_view key, std::string_view value) {
        if (key.front() != kOriginRow) return false;
        auto origin = std::make_unique<Origin>();
        origin->id = static_cast<std::uint32_t>(Unpacker(value).number());
        origin->name = key.substr(1);
        origin->site = crawl::site_number(crawl::host_in(origin->name));
        by_id_.emplace(origin->id, origin.get());
        origins_.emplace(origin->name, std::move(origin));
        return true;
      });
  if (!read) return ledger_.fail_with(std::move(read).error());
  read = ledger_.tables().scan_back(
      Table::seen, std::string(kKeyBytes, '\xFF'), [&](std::string_view key, std::string_view) {
        next_number_ = std::max(next_number_, read_big_endian(key) + 1);
        return false;
      });
  if (!read) return ledger_.fail_with(std::move(read).error());
  old_numbers_ = next_number_;
  take_over_letters();
}

void KeptWork::take_over_letters() {
  auto read =
      ledger_.tables().scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
        if (key.size() != kKeyBytes || read_big_endian(key, 4) != letters_.id) return false;
        const std::uint64_t number = read_big_endian(key.substr(8));
        auto targets = read_chunk(value, letters_.name);
        if (!targets) {
          LOG(error, "letters cannot be read: {}", targets.error().to_string());
          return true;
        }
        chunks_.emplace(number, Chunk{.origin = &letters_, .rank = 0, .left = 0, .is_open = false});
        for (ChunkedTarget& kept : *targets) {
          kept.target.ticket = number;
          unopened_.push_back(std::move(kept));
          count_in(letters_, number);
        }
        return true;
      });
  if (!read) ledger_.fail_with(std::move(read).error());
}

void KeptWork::leave_letter(const crawl::Target& target) {
  const Ledger::Lock lock = ledger_.lock();
  ChunkedTarget& letter = unopened_.emplace_back(target, std::nullopt);
  letter.target.ticket = send(std::nullopt, target);
}

Result<void> KeptWork::put_back(const std::vector<ChunkedTarget>& ended) {
  const Ledger::Lock lock = ledger_.lock();
  if (!std::exchange(has_taken_over_, true)) take_over();
  std::map<std::string, const ChunkedTarget*, std::less<>> missing;
  for (const ChunkedTarget& one : ended) missing.emplace(one.target.url, &one);
  // A chunk of which any target is left has all of them. At another depth it is another matter:
  // there it may have been found before it was found nearer.
  auto read =
      ledger_.tables().scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
        if (key.size() != kKeyBytes) return true;
        const auto origin = by_id_.find(static_cast<std::uint32_t>(read_big_endian(key, 4)));
        if (origin == by_id_.end()) return true;
        const auto targets = read_chunk(value, origin->second->name);
        for (std::size_t i = 0; targets && i < targets->size(); ++i) {
          const crawl::Target& waiting = (*targets)[i].target;
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
    add(crawl::origin_text(*url), one->fingerprint, one->target,
        crawl::rank_of(one->target, options_.order), {});
  }
  return {};
}

KeptWork::Owned KeptWork::owned_by(crawl::SiteShare share) const {
  Owned owned;
  for (const auto& [id, origin] : by_id_) {
    if (share.has(origin->site)) owned.emplace(id, origin);
  }
  return owned;
}

void KeptWork::recall_letters(Recall& recall, crawl::SiteShare share) {
  std::vector<ChunkedTarget> others;
  for (ChunkedTarget& letter : std::exchange(unopened_, {})) {
    if (!share.has(crawl::site_number(crawl::host_in(letter.target.url)))) {
      others.push_back(std::move(letter));
      continue;
    }
    // Letters to several loops may have the same, and a Referrer belongs to one.
    if (const std::string_view via = letter.target.via.url(); !via.empty()) {
      letter.target.via = crawl::Referrer(std::string(via));
    }
    recall.letter(letter.fingerprint, std::move(letter.target));
  }
  unopened_ = std::move(others);
}

void KeptWork::recall_hosts(Recall& recall, crawl::SiteShare share) {
  const auto take = [&](char kind, std::string_view key, std::string_view value) {
    if (key.front() != kind) return false;
    Unpacker row(value);
    const std::string_view name = key.substr(1);
    if (!share.has(crawl::site_number(crawl::host_in(name)))) return true;
    if (kind == kHostRow) {
      crawl::PaceMemory pace;
      pace.ready_at = instant_of(row.signed_number());
      for (Duration* part : {&pace.last_took, &pace.crawl_delay, &pace.backoff, &pace.throttle}) {
        *part = Duration(row.signed_number());
      }
      pace.failures = static_cast<std::uint16_t>(row.number());
      pace.refusals = static_cast<std::uint16_t>(row.number());
      pace.is_own = row.number() != 0;
      pace.has_answered = !row.is_at_end() && row.number() != 0;  // rows were once shorter
      if (row.is_good()) recall.host(name, pace);
    } else {
      const Instant good_until = instant_of(row.signed_number());
      const crawl::KeptRules rules = {.source = row.text(), .good_until = good_until};
      if (row.is_good()) recall.rules(name, rules);
    }
    return true;
  };
  for (const char kind : {kHostRow, kRulesRow}) {
    auto read = ledger_.tables().scan(
        Table::origins, row_key(kind, {}),
        [&](std::string_view key, std::string_view value) { return take(kind, key, value); });
    if (!read) ledger_.fail_with(std::move(read).error());
  }
}

void KeptWork::recall_counts(Recall& recall, crawl::SiteShare share) {
  constexpr std::size_t kCountKeyBytes = 1 + 2 + 1 + 8;
  auto read = ledger_.tables().scan(
      Table::origins, row_key(kCountRow, {}), [&](std::string_view key, std::string_view value) {
        if (key.front() != kCountRow) return false;
        if (key.size() != kCountKeyBytes) return true;
        const auto site = static_cast<std::uint16_t>(read_big_endian(key.substr(1), 2));
        if (!share.has(site)) return true;
        Unpacker row(value);
        const crawl::KeptCount count = {.what = static_cast<crawl::Counted>(key[3]),
                                        .count = static_cast<std::uint32_t>(row.number()),
                                        .key = read_big_endian(key.substr(4))};
        if (row.is_good()) recall.count(count);
        return true;
      });
  if (!read) ledger_.fail_with(std::move(read).error());
}

void KeptWork::recall_seen(Recall& recall, crawl::SiteShare share) {
  const auto take = [&](std::string_view fingerprints) {
    for (; fingerprints.size() >= 8; fingerprints.remove_prefix(8)) {
      recall.seen(read_big_endian(fingerprints));
    }
  };
  auto read =
      ledger_.tables().scan(Table::seen, {}, [&](std::string_view key, std::string_view value) {
        // Of which sites they are was not always written: then they are everybody's.
        if (key.size() == 8) take(value);
        for (Unpacker row(key.size() == 8 ? std::string_view() : value);
             row.is_good() && !row.is_at_end();) {
          const auto site = static_cast<std::uint16_t>(row.number());
          const std::string_view fingerprints = row.text();
          if (share.has(site)) take(fingerprints);
        }
        return true;
      });
  if (!read) ledger_.fail_with(std::move(read).error());
}

void KeptWork::recall_waiting(Recall& recall, const Owned& origins) {
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
        const auto owned = origins.find(static_cast<std::uint32_t>(read_big_endian(key, 4)));
        const auto head = read_chunk_head(value);
        if (!head || owned == origins.end()) return true;
        if (origin != owned->second) {
          tell();
          origin = owned->second;
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
