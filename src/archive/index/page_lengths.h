// How many words each page has. A search needs the lengths of all pages with a word, so they are
// side by side in the index: FTS5 has them, too, but one row for each page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/sqlite.h"

namespace gossamer::index {

// One reader of an index uses it for all its searches.
class PageLengths {
 public:
  // BOUND: the words of a longer page.
  static constexpr std::size_t kWordsMax = 0xFFFF;

  // Reads the lengths that were added since the last call. Fails with Errc::malformed if the index
  // is damaged, and with the error of SQLite.
  Result<void> update(store::Database& database);

  // 0 for pages without words, and for unknown ones.
  std::size_t of(std::int64_t id) const noexcept;
  std::uint64_t pages() const noexcept { return pages_; }  // with words
  std::uint64_t words() const noexcept { return words_; }  // of all pages

 private:
  std::vector<std::vector<std::uint16_t>> blocks_;  // of page 0, of page kBlockPages, ...
  std::uint64_t pages_ = 0;
  std::uint64_t words_ = 0;
};

using PageLength = std::pair<std::int64_t, std::size_t>;  // the id of a page, its words
// Adds the lengths of new pages. Fails with the error of SQLite. REQUIRES: ids are ascending.
Result<void> add_lengths(store::Database& database, const std::vector<PageLength>& lengths);

// Compares them with the lengths that FTS5 counted. Fails with Errc::malformed if one differs.
Result<void> check_lengths(store::Database& database);

}  // namespace gossamer::index
