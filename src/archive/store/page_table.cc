#include "store/page_table.h"

#include <utility>

#include "base/log.h"
#include "record/page_row.h"
#include "store/page_changes.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

constexpr std::string_view kStatisticsKey = "statistics";

// Copies a record without its texts, which are large and are not stored.
crawler::FetchRecord without_texts(crawler::FetchRecord& record) {
  std::string text = std::exchange(record.text, {});
  std::string markdown = std::exchange(record.markdown, {});
  crawler::FetchRecord copy = record;
  record.text = std::move(text);
  record.markdown = std::move(markdown);
  return copy;
}

}  // namespace

std::string page_key(std::uint64_t fingerprint) {
  std::string key;
  append_big_endian(key, fingerprint);
  return key;
}

std::string archived_key(const crawler::ArchivePlace& place) {
  std::string key = place.file;
  key.push_back('\0');
  append_big_endian(key, place.offset);
  return key;
}

Result<crawler::Statistics> stored_statistics(const Tables& tables) {
  auto row = tables.get(Table::meta, kStatisticsKey);
  if (!row) return fail(std::move(row).error());
  if (!*row) return crawler::Statistics();
  return unpack_statistics(**row);
}

void put_statistics(Batch& batch, const crawler::Statistics& statistics) {
  batch.put(Table::meta, std::string(kStatisticsKey), pack_statistics(statistics));
}

PageTable::PageTable(Journal& journal, const url::IdentityRules& identity, crawler::PageSink& next)
    : journal_(journal), next_(next), identity_(identity) {
  recall_statistics();
  expect(journal.tables().scan_back(Table::skipped, std::string(9, '\xFF'),
                                    [this](std::string_view key, std::string_view) {
                                      next_skips_ = read_big_endian(key) + 1;
                                      return false;
                                    }));
  journal.before_commit([this](Batch& batch) { close(batch); });
}

void PageTable::recall_statistics() {
  const Journal::Lock lock = journal_.lock();
  if (auto kept = stored_statistics(journal_.tables())) {
    statistics_ = std::move(*kept);
  } else {
    LOG(error, "cannot read the counts of earlier runs: {}", kept.error().to_string());
    journal_.fail_with(std::move(kept).error());
  }
}

void PageTable::expect(Result<void> read) {
  if (!read) journal_.fail_with(std::move(read).error());
}

std::optional<crawler::FetchRecord> PageTable::record_in(
    const Result<std::optional<std::string>>& row) {
  if (!row) journal_.fail_with(row.error().copy());
  if (!row || !*row) return std::nullopt;
  auto record = unpack_page(**row);
  if (record) return std::move(*record);
  journal_.fail_with(std::move(record).error());
  return std::nullopt;
}

void PageTable::note(crawler::FetchRecord record) {
  const Journal::Lock lock = journal_.lock();
  has_news_ = true;
  const auto url = url::Url::parse(record.url);
  if (!url) return statistics_.add(record);
  const std::uint64_t fingerprint = identity_.fingerprint(*url);
  const std::string key = page_key(fingerprint);
  if (record.is_guess && linked_.erase(fingerprint) > 0) record.is_guess = false;
  auto before = shared_since_ ? newest(key) : find(*url);
  if (before && is_late(record, *before)) {
    // Only what was received counts.
    statistics_.wire_bytes += record.wire_bytes;
    statistics_.retries += record.tries - 1;
    if (record.archive) journal_.pending().put(Table::archived, archived_key(*record.archive), key);
    return;
  }
  if (refresh_ && before && record.status == 304) {
    // The page is unchanged; only the time is new.
    statistics_.wire_bytes += record.wire_bytes;
    statistics_.retries += record.tries - 1;
    before->confirmed = record.ts;
    // The page that it was similar to may have changed.
    if (record.sketch) before->similar_to = record.similar_to;
    journal_.pending().put(Table::pages, key, pack_page(*before));
    return;
  }
  if (refresh_) note_change(before ? &*before : nullptr, record);
  if (before) statistics_.remove(*before);
  statistics_.add(record);
  if (record.archive) journal_.pending().put(Table::archived, archived_key(*record.archive), key);
  journal_.pending().put(Table::pages, key, pack_page(record));
}

void PageTable::begin_refresh(WallTime start) {
  const Journal::Lock lock = journal_.lock();
  refresh_ = start;
  std::string last;
  append_big_endian(last, static_cast<std::uint64_t>(start.seconds));
  journal_.pending().put(Table::meta, std::string(kLastRefreshKey), last);
  std::string end;
  append_big_endian(end, static_cast<std::uint64_t>(start.seconds) + 1);
  const auto beginning = [&](std::string_view key) {
    return read_big_endian(key) == static_cast<std::uint64_t>(start.seconds);
  };
  expect(
      journal_.tables().scan_back(Table::changes, end, [&](std::string_view key, std::string_view) {
        if (beginning(key)) next_change_ = read_big_endian(key.substr(8)) + 1;
        return false;
      }));
}

std::optional<crawler::FetchRecord> PageTable::find(const url::Url& url) {
  return record_in(journal_.tables().get(Table::pages, page_key(identity_.fingerprint(url))));
}

std::optional<crawler::FetchRecord> PageTable::newest(const std::string& key) {
  std::optional<std::string> row;
  for (const Batch::Change& change : journal_.pending().changes) {
    if (change.table == Table::pages && change.key == key) row = change.value;
  }
  return row ? record_in(std::move(row)) : record_in(journal_.tables().get(Table::pages, key));
}

void PageTable::replace(std::string key, const crawler::FetchRecord& before,
                        const crawler::FetchRecord& now) {
  has_news_ = true;
  statistics_.remove(before);
  // What was received stays counted, so it is not added again.
  const std::uint64_t wire_bytes = statistics_.wire_bytes;
  const std::uint64_t retries = statistics_.retries;
  statistics_.add(now);
  statistics_.wire_bytes = wire_bytes;
  statistics_.retries = retries;
  journal_.pending().put(Table::pages, std::move(key), pack_page(now));
}

bool PageTable::is_late(const crawler::FetchRecord& record, const crawler::FetchRecord& row) const {
  // The clock of an earlier process may have been ahead.
  return shared_since_ && row.ts >= *shared_since_ && row.ts > record.ts &&
         row.duplicate_of != row.url;
}

void PageTable::mark_repeated(const std::vector<RepeatedPage>& pages) {
  const Journal::Lock lock = journal_.lock();
  for (const RepeatedPage& page : pages) {
    const auto url = url::Url::parse(page.url);
    if (!url) continue;
    std::string key = key_of(*url);
    const auto row = newest(key);
    if (!row || row->ts >= page.lease_end || row->duplicate_of == row->url) continue;
    crawler::FetchRecord marked = *row;
    marked.duplicate_of = marked.url;
    replace(std::move(key), *row, marked);
  }
}

void PageTable::mark_linked(std::uint64_t fingerprint) {
  const Journal::Lock lock = journal_.lock();
  std::string key = page_key(fingerprint);
  const auto row = newest(key);
  if (!row) {
    linked_.insert(fingerprint);
    return;
  }
  if (!row->is_guess) return;
  crawler::FetchRecord linked = *row;
  linked.is_guess = false;
  replace(std::move(key), *row, linked);
}

void PageTable::note_change(const crawler::FetchRecord* before, const crawler::FetchRecord& now) {
  const auto kind = compare(before, now);
  if (!kind) return;
  std::string key;
  append_big_endian(key, static_cast<std::uint64_t>(refresh_->seconds));
  append_big_endian(key, next_change_++);
  journal_.pending().put(
      Table::changes, std::move(key),
      pack_change({.kind = *kind,
                   .url = now.url,
                   .ts = now.ts,
                   .status_before = before == nullptr ? std::nullopt : before->status,
                   .status = now.status}));
}

async::Task<Result<void>> PageTable::put(crawler::Page page) {
  if (before_note_) {
    if (auto waited = co_await before_note_(); !waited) co_return waited;
  }
  crawler::FetchRecord record = without_texts(page.record);
  // A page that the sink did not take is fetched again.
  if (auto put = co_await next_.put(std::move(page)); !put) co_return put;
  note(std::move(record));
  co_return {};
}

async::Task<Result<void>> PageTable::put_other(crawler::Exchange exchange) {
  co_return co_await next_.put_other(std::move(exchange));
}

void PageTable::skip(const crawler::SkippedUrl& skipped) {
  {
    const Journal::Lock lock = journal_.lock();
    statistics_.add(skipped.reason);
    has_news_ = true;
    pack_skip(skips_, skipped);
  }
  next_.skip(skipped);
}

void PageTable::close(Batch& batch) {
  if (!std::exchange(has_news_, false)) return;
  put_statistics(batch, statistics_);
  if (skips_.empty()) return;
  std::string key;
  append_big_endian(key, next_skips_++);
  batch.put(Table::skipped, std::move(key), std::exchange(skips_, {}));
}

}  // namespace gossamer::store
