#include "store/lost_pages.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "record/page_row.h"
#include "record/record.h"
#include "store/journal.h"
#include "store/page_table.h"
#include "store/stored_payloads.h"
#include "store/stored_work.h"

namespace gossamer::store {
namespace {

// Keys of Table::archived: the file's name, a zero byte, the offset.
std::string_view file_of(std::string_view key) { return key.substr(0, key.find('\0')); }

// Returns the archive files in the table.
Result<std::vector<std::string>> files_named(const Tables& tables) {
  std::vector<std::string> files;
  std::string from;
  for (bool has_more = true; has_more;) {
    has_more = false;
    auto read = tables.scan(Table::archived, from, [&](std::string_view key, std::string_view) {
      files.emplace_back(file_of(key));
      has_more = true;
      return false;
    });
    if (!read) return fail(std::move(read).error());
    if (has_more) from = files.back() + '\x01';
  }
  return files;
}

// Lost records cannot be referred to.
Result<void> forget_payloads(Journal& journal, const std::vector<ChunkedTarget>& lost) {
  std::set<std::string_view> urls;
  for (const ChunkedTarget& page : lost) urls.insert(page.target.url);
  return journal.tables().scan(Table::payloads, {},
                               [&](std::string_view key, std::string_view row) {
                                 const auto original = unpack_original(row);
                                 if (!original || urls.contains(original->target_uri)) {
                                   journal.pending().remove(Table::payloads, std::string(key));
                                 }
                                 return true;
                               });
}

crawler::Target target_of(crawler::FetchRecord record) {
  crawler::Target target;
  target.url = std::move(record.url);
  target.depth = static_cast<std::uint16_t>(record.depth);
  if (record.is_requisite) target.purpose = crawler::Purpose::requisite;
  if (record.is_guess) target.purpose = crawler::Purpose::guess;
  if (record.is_leaf) target.leaf = crawler::Leaf::yes;
  if (!record.via.empty()) target.via = crawler::Referrer(std::move(record.via));
  return target;
}

// The lost pages, and the statistics without them.
struct Losses {
  std::vector<ChunkedTarget> pages;
  crawler::Statistics statistics;
};

// Returns where to begin: at the last record that begins before the end of the file, because it may
// end behind it.
Result<std::string> first_key_to_check(const Tables& tables, const std::string& file,
                                       std::uint64_t end) {
  std::string first = archived_key({.file = file, .offset = end, .length = 0});
  auto read =
      tables.scan_back(Table::archived, std::string(first), [&](std::string_view key, auto) {
        if (file_of(key) == file) first = key;
        return false;
      });
  if (!read) return fail(std::move(read).error());
  return first;
}

// Finds the pages whose records do not end before the end of one file, and removes their rows.
Result<void> take_lost(Journal& journal, const std::string& file, std::uint64_t end, Losses& lost) {
  std::optional<Error> failure;
  const auto first = first_key_to_check(journal.tables(), file, end);
  if (!first) return fail(first.error().copy());
  auto read = journal.tables().scan(
      Table::archived, *first, [&](std::string_view key, std::string_view page) {
        if (file_of(key) != file) return false;
        auto row = journal.tables().get(Table::pages, page);
        if (!row) {
          failure = std::move(row).error();
          return false;
        }
        auto record = unpack_page(row->value_or(""));
        // A later fetch may have stored it in another file.
        const bool is_it = record && record->archive && archived_key(*record->archive) == key;
        const std::uint64_t offset = read_big_endian(key.substr(file.size() + 1));
        const std::uint64_t length = is_it ? record->archive->length : 0;
        if (offset < end && length <= end - offset) return true;
        journal.pending().remove(Table::archived, std::string(key));
        if (!is_it) return true;
        journal.pending().remove(Table::pages, std::string(page));
        lost.statistics.remove(*record);
        lost.pages.push_back(
            {.target = target_of(std::move(*record)), .fingerprint = read_big_endian(page)});
        return true;
      });
  if (failure) return fail(std::move(*failure));
  return read;
}

}  // namespace

Result<std::size_t> put_back_lost_pages(Tables& tables, crawler::CrawlOrder order,
                                        FileLength length, Batch beside) {
  Journal journal(tables, Durability::strict);
  StoredWork work(journal, {.order = order, .clock = {}});
  const Journal::Lock lock = journal.lock();
  auto files = files_named(tables);
  if (!files) return fail(std::move(files).error());
  auto statistics = stored_statistics(tables);
  if (!statistics) return fail(std::move(statistics).error());
  Losses lost = {.pages = {}, .statistics = std::move(*statistics)};
  for (const std::string& file : *files) {
    auto taken = take_lost(journal, file, length(file).value_or(0), lost);
    if (!taken) return fail(std::move(taken).error());
  }
  if (!lost.pages.empty()) {
    journal.pending().add(std::move(beside));
    put_statistics(journal.pending(), lost.statistics);
    auto done = forget_payloads(journal, lost.pages);
    if (done) done = work.put_back(lost.pages);
    if (!done) return fail(std::move(done).error());
  }
  journal.commit();
  if (journal.trouble()) return fail(journal.trouble()->copy());
  return lost.pages.size();
}

}  // namespace gossamer::store
