// Restores the queue that an earlier process left.

#include <algorithm>
#include <limits>
#include <map>

#include "base/log.h"
#include "crawl/frontier/frontier.h"
#include "crawl/frontier/target_queue.h"
#include "crawl/shards/site_number.h"
#include "store/packing.h"
#include "store/stored_work.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kKeyBytes = 4 + 4 + 8;
constexpr std::size_t kNamesAtOnce = 4096;  // in one batch

}  // namespace

std::string StoredWork::count_key(std::uint16_t site, const crawler::StoredCount& kept) {
  std::string key(1, kCountRow);
  append_big_endian(key, site, 2);
  key.push_back(static_cast<char>(kept.what));
  append_big_endian(key, kept.key);
  return key;
}

// --- the state of an earlier process

void StoredWork::recall_share(Recall recall, crawler::SiteShare share) {
  {
    const Journal::Lock lock = journal_.lock();
    if (!std::exchange(has_taken_over_, true)) take_over();
    if (recall.message) recall_messages(recall, share);
  }
  // Without the lock, since it takes long and other loops work on other sites meanwhile.
  recall_hosts(recall, share);
  if (recall.count) recall_counts(recall, share);
  recall_seen(recall, share);
  recall_waiting(recall, share);
}

void StoredWork::take_over() {
  const auto clock = journal_.tables().get(Table::meta, kClockKey);
  if (clock && *clock) last_clock_ = Unpacker(**clock).signed_number();
  auto read = take_over_origins();
  if (!read) return journal_.fail_with(std::move(read).error());
  read = journal_.tables().scan_back(
      Table::seen, std::string(kKeyBytes, '\xFF'), [&](std::string_view key, std::string_view) {
        next_number_ = std::max(next_number_, read_big_endian(key) + 1);
        return false;
      });
  if (!read) return journal_.fail_with(std::move(read).error());
  old_numbers_ = next_number_;
  take_over_messages();
}

Result<void> StoredWork::take_over_origins() {
  std::size_t origins = 0;
  std::size_t names = 0;
  auto read = journal_.tables().scan(
      Table::origins, row_key(kOriginRow, {}), [&](std::string_view key, std::string_view value) {
        if (key.front() != kOriginRow) return false;
        const auto id = static_cast<std::uint32_t>(Unpacker(value).number());
        next_id_ = std::max(next_id_, id + 1);
        ++origins;
        return true;
      });
  if (!read) return read;
  has_history_ = origins > 0;
  read = journal_.tables().scan(Table::origins, row_key(kNameRow, {}),
                                [&](std::string_view key, std::string_view) {
                                  if (key.front() == kNameRow) ++names;
                                  return key.front() == kNameRow;
                                });
  if (!read || names == origins) return read;
  return write_names();
}

// Earlier versions did not write them. They bypass the journal, whose pending changes belong
// together.
Result<void> StoredWork::write_names() {
  Batch batch;
  Result<void> written;
  auto read = journal_.tables().scan(
      Table::origins, row_key(kOriginRow, {}), [&](std::string_view key, std::string_view value) {
        if (key.front() != kOriginRow) return false;
        const auto id = static_cast<std::uint32_t>(Unpacker(value).number());
        batch.put(Table::origins, name_key(id), std::string(key.substr(1)));
        if (batch.changes.size() < kNamesAtOnce) return true;
        written = journal_.tables().write(batch);
        batch.clear();
        return written.has_value();
      });
  if (read && written && !batch.empty()) written = journal_.tables().write(batch);
  return read ? std::move(written) : std::move(read);
}

void StoredWork::take_over_messages() {
  auto read =
      journal_.tables().scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
        if (key.size() != kKeyBytes || read_big_endian(key, 4) != messages_.id) return false;
        const std::uint64_t number = read_big_endian(key.substr(8));
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

void StoredWork::leave_message(const crawler::Target& target) {
  const Journal::Lock lock = journal_.lock();
  ChunkedTarget& message = unopened_.emplace_back(target, std::nullopt);
  message.target.ticket = send(std::nullopt, target);
}

Result<void> StoredWork::put_back(const std::vector<ChunkedTarget>& ended) {
  const Journal::Lock lock = journal_.lock();
  if (!std::exchange(has_taken_over_, true)) take_over();
  std::map<std::string, const ChunkedTarget*, std::less<>> missing;
  for (const ChunkedTarget& one : ended) missing.emplace(one.target.url, &one);
  std::uint32_t last_id = messages_.id;
  std::string name;
  // An unfinished chunk still contains all its targets, so these are not missing. A copy at another
  // depth does not count: it was found there before a shorter path was found.
  auto read =
      journal_.tables().scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
        if (key.size() != kKeyBytes) return true;
        const auto id = static_cast<std::uint32_t>(read_big_endian(key, 4));
        if (id != std::exchange(last_id, id)) name = name_of(id);
        if (name.empty()) return true;
        const auto targets = read_chunk(value, name);
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

void StoredWork::recall_hosts(Recall& recall, crawler::SiteShare share) {
  auto read = journal_.tables().scan(
      Table::origins, row_key(kOriginRow, {}), [&](std::string_view key, std::string_view) {
        if (key.front() != kOriginRow) return false;
        const std::string_view hostname = crawler::host_in(key.substr(1));
        if (share.has(crawler::site_number(hostname))) recall.host(hostname);
        return true;
      });
  if (!read) journal_.fail_with(std::move(read).error());
}

void StoredWork::recall_counts(Recall& recall, crawler::SiteShare share) {
  constexpr std::size_t kCountKeyBytes = 1 + 2 + 1 + 8;
  auto read = journal_.tables().scan(
      Table::origins, row_key(kCountRow, {}), [&](std::string_view key, std::string_view value) {
        if (key.front() != kCountRow) return false;
        if (key.size() != kCountKeyBytes) return true;
        const auto site = static_cast<std::uint16_t>(read_big_endian(key.substr(1), 2));
        if (!share.has(site)) return true;
        Unpacker row(value);
        const crawler::StoredCount count = {.what = static_cast<crawler::Counted>(key[3]),
                                            .count = static_cast<std::uint32_t>(row.number()),
                                            .key = read_big_endian(key.substr(4))};
        if (row.is_good()) recall.count(count);
        return true;
      });
  if (!read) journal_.fail_with(std::move(read).error());
}

void StoredWork::recall_seen(Recall& recall, crawler::SiteShare share) {
  const auto take = [&](std::string_view fingerprints) {
    for (; fingerprints.size() >= 8; fingerprints.remove_prefix(8)) {
      recall.seen(read_big_endian(fingerprints));
    }
  };
  auto read =
      journal_.tables().scan(Table::seen, {}, [&](std::string_view key, std::string_view value) {
        // Earlier versions did not store the sites; then all loops get the fingerprints.
        if (key.size() == 8) take(value);
        for (Unpacker row(key.size() == 8 ? std::string_view() : value);
             row.is_good() && !row.is_at_end();) {
          const auto site = static_cast<std::uint16_t>(row.number());
          const std::string_view fingerprints = row.text();
          if (share.has(site)) take(fingerprints);
        }
        return true;
      });
  if (!read) journal_.fail_with(std::move(read).error());
}

void StoredWork::recall_waiting(Recall& recall, crawler::SiteShare share) {
  std::uint32_t last_id = messages_.id;
  std::string name;  // empty: not reported
  std::map<std::uint16_t, std::size_t> counts;
  const auto tell = [&] {
    for (const auto& [depth, count] : counts) recall.waiting(name, depth, count);
    counts.clear();
  };
  auto read =
      journal_.tables().scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
        if (key.size() != kKeyBytes) return true;
        const auto id = static_cast<std::uint32_t>(read_big_endian(key, 4));
        if (id != std::exchange(last_id, id)) {
          tell();
          name = name_of(id);
          if (!share.has(crawler::site_number(crawler::host_in(name)))) name.clear();
        }
        const auto head = read_chunk_head(value);
        if (!head || name.empty()) return true;
        counts[head->depth] += head->count;
        if (recall.target) recall_targets(name, value, recall);
        return true;
      });
  tell();
  if (!read) journal_.fail_with(std::move(read).error());
}

void StoredWork::recall_targets(std::string_view origin, std::string_view value, Recall& recall) {
  const auto targets = read_chunk(value, origin);
  if (!targets) return;
  for (const ChunkedTarget& kept : *targets) {
    const bool waits = kept.fingerprint && !has_ended(*kept.fingerprint);
    if (waits) recall.target(*kept.fingerprint, kept.target);
  }
}

}  // namespace gossamer::store
