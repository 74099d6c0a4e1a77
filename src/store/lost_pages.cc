#include "store/lost_pages.h"

#include <set>
#include <string>
#include <utility>

#include "store/kept_payloads.h"
#include "store/page_row.h"
#include "store/page_table.h"

namespace gossamer::store {
namespace {

// Keys of Table::archived: the file's name, a zero byte, the offset.
std::string_view file_of(std::string_view key) { return key.substr(0, key.find('\0')); }

// The names of the files that pages are said to be in.
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

// What is gone cannot be referred to.
Result<void> forget_payloads(Ledger& ledger, const std::vector<crawl::FetchRecord>& lost) {
  std::set<std::string, std::less<>> urls;
  for (const crawl::FetchRecord& record : lost) urls.insert(record.url);
  return ledger.tables().scan(Table::payloads, {}, [&](std::string_view key, std::string_view row) {
    const auto original = unpack_original(row);
    if (!original || urls.contains(original->target_uri)) {
      ledger.pending().remove(Table::payloads, std::string(key));
    }
    return true;
  });
}

}  // namespace

Result<std::vector<crawl::FetchRecord>> take_lost_pages(Ledger& ledger, FileLength length) {
  const Ledger::Lock lock = ledger.lock();
  auto files = files_named(ledger.tables());
  if (!files) return fail(std::move(files).error());
  std::vector<crawl::FetchRecord> lost;
  for (const std::string& file : *files) {
    const std::uint64_t end = length(file).value_or(0);
    auto read = ledger.tables().scan(
        Table::archived, archived_key({.file = file, .offset = end, .length = 0}),
        [&](std::string_view key, std::string_view page) {
          if (file_of(key) != file) return false;
          ledger.pending().remove(Table::archived, std::string(key));
          const auto row = ledger.tables().get(Table::pages, page);
          if (!row || !*row) return true;
          auto record = unpack_page(**row);
          // It may have been fetched again since, into another file.
          const bool is_it = record && record->archive && archived_key(*record->archive) == key;
          if (!is_it) return true;
          ledger.pending().remove(Table::pages, std::string(page));
          lost.push_back(std::move(*record));
          return true;
        });
    if (!read) return fail(std::move(read).error());
  }
  if (!lost.empty()) {
    if (auto forgotten = forget_payloads(ledger, lost); !forgotten) {
      return fail(std::move(forgotten).error());
    }
  }
  return lost;
}

}  // namespace gossamer::store
