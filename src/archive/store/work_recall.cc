#include "store/work_recall.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/packing.h"
#include "store/work_chunk.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

void recall_targets(const Tables& tables, std::string_view origin, std::string_view chunk,
                    crawler::Backlog::Recall& recall) {
  const auto targets = read_chunk(chunk, origin);
  if (!targets) return;
  for (const ChunkedTarget& kept : *targets) {
    const bool waits = kept.fingerprint && !has_ended(tables, *kept.fingerprint);
    if (waits) recall.target(*kept.fingerprint, kept.target);
  }
}

}  // namespace

bool has_ended(const Tables& tables, std::uint64_t fingerprint) {
  std::string key;
  append_big_endian(key, fingerprint);
  const auto row = tables.get(Table::pages, key);
  return row && row->has_value();
}

Result<void> recall_hosts(const Tables& tables, crawler::Backlog::Recall& recall,
                          crawler::SiteShare share) {
  return tables.scan(Table::origins, origin_key(OriginRow::id),
                     [&](std::string_view key, std::string_view) {
                       if (!is_key_of(OriginRow::id, key)) return false;
                       const std::string_view hostname = crawler::host_in(key.substr(1));
                       if (share.has(crawler::site_number(hostname))) recall.host(hostname);
                       return true;
                     });
}

Result<void> recall_counts(const Tables& tables, crawler::Backlog::Recall& recall,
                           crawler::SiteShare share) {
  return tables.scan(
      Table::origins, origin_key(OriginRow::count),
      [&](std::string_view key, std::string_view value) {
        if (!is_key_of(OriginRow::count, key)) return false;
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
}

Result<void> recall_seen(const Tables& tables, crawler::Backlog::Recall& recall,
                         crawler::SiteShare share) {
  const auto take = [&](std::string_view fingerprints) {
    for (; fingerprints.size() >= 8; fingerprints.remove_prefix(8)) {
      recall.seen(read_big_endian(fingerprints));
    }
  };
  return tables.scan(Table::seen, {}, [&](std::string_view key, std::string_view value) {
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
}

Result<void> scan_waiting(const Tables& tables, VisitChunk visit) {
  std::uint32_t last_id = kMessagesId;
  std::string name;  // empty: not visited
  Result<void> named;
  auto read = tables.scan(Table::waiting, {}, [&](std::string_view key, std::string_view value) {
    if (key.size() != ChunkKey::kBytes) return true;
    const std::uint32_t id = ChunkKey::read(key).origin;
    if (id != std::exchange(last_id, id)) {
      auto row = tables.get(Table::origins, name_key(id));
      if (!row) {
        named = std::unexpected(std::move(row).error());
        return false;
      }
      name = row->value_or(std::string());
    }
    return name.empty() || visit(name, value);
  });
  return named ? std::move(read) : std::move(named);
}

Result<void> visit_queued(const Tables& tables,
                          std::move_only_function<void(std::string_view url)> visit) {
  return scan_waiting(tables, [&](std::string_view origin, std::string_view chunk) {
    const auto targets = read_chunk(chunk, origin);
    for (std::size_t i = 0; targets && i < targets->size(); ++i) visit((*targets)[i].target.url);
    return true;
  });
}

Result<void> recall_waiting(const Tables& tables, crawler::Backlog::Recall& recall,
                            crawler::SiteShare share) {
  std::string last;
  bool is_ours = false;
  std::map<std::uint16_t, std::size_t> counts;
  const auto tell = [&] {
    for (const auto& [depth, count] : counts) recall.waiting(last, depth, count);
    counts.clear();
  };
  auto read = scan_waiting(tables, [&](std::string_view origin, std::string_view chunk) {
    if (origin != last) {
      tell();
      last = origin;
      is_ours = share.has(crawler::site_number(crawler::host_in(origin)));
    }
    const auto head = read_chunk_head(chunk);
    if (!head || !is_ours) return true;
    counts[head->depth] += head->count;
    if (recall.target) recall_targets(tables, origin, chunk, recall);
    return true;
  });
  tell();
  return read;
}

}  // namespace gossamer::store
