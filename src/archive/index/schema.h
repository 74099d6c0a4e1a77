// The tables of a search index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/fts_tokenizer.h"
#include "index/packed_text.h"
#include "store/sqlite.h"

namespace gossamer::index {

// The version of tables, words and extracted texts. An index with another version is rebuilt, so it
// changes whenever one of them does: FTS5 requires that a text has the same words forever.
inline constexpr std::int32_t kIndexFormat = 5;
// The same without checksums (index/checked_pages.h). Still read and continued, as it is.
inline constexpr std::int32_t kUncheckedIndexFormat = 4;

// A connection to an index. It does not move, because SQLite holds pointers to it.
class IndexDatabase {
 public:
  // Fails with Errc::not_found, with Errc::malformed if the file is damaged or something else or
  // has lost commits, and with Errc::unsupported if its format is another one.
  static Result<std::unique_ptr<IndexDatabase>> open_to_read(const std::string& path);
  // Creates the tables if the file does not exist or is empty. Fails like open_to_read(), and with
  // Errc::exists if the file is something else, which it does not change.
  static Result<std::unique_ptr<IndexDatabase>> open_to_write(const std::string& path);

  IndexDatabase(const IndexDatabase&) = delete;
  IndexDatabase& operator=(const IndexDatabase&) = delete;

  store::Database& database() { return database_; }
  TokenizerSettings& tokenizer() { return tokenizer_; }
  TextUnpacker& unpacker() { return unpacker_; }

  // The commits of all writers so far.
  Result<std::uint64_t> commits();

  // Compares the words of all texts with the index. Slow: for tests and `gossamer index --check`.
  Result<void> check();

 private:
  explicit IndexDatabase(store::Database database) : database_(std::move(database)) {}
  Result<void> prepare();
  Result<void> check_format();
  Result<void> check_commits(const std::string& path);
  Result<void> create_tables();

  // The database is closed first.
  TokenizerSettings tokenizer_;
  TextUnpacker unpacker_;
  store::Database database_;
};

// Where the commits of an index are noted, beside it (store/row_position.h): SQLite cannot tell a
// write-ahead log that lost its end from one that was never longer.
struct PositionName {
  explicit PositionName(const std::string& index_path);

  std::string folder;
  std::string name;
};

// The archives that an index was made from.
struct FormerArchives {
  std::vector<std::string> paths;  // of those in the folder of the index and below
  std::size_t elsewhere = 0;       // others; the index may be from another user
};
// Reads them from an index of any format. Empty also if it cannot be read.
FormerArchives indexed_archives(const std::string& path);

// What open_to_write() says of a file that it must not change: Errc::exists.
Error foreign_file(const std::string& path);

// The name of a new index ends like this until it is complete.
inline constexpr std::string_view kDraftEnding = ".new";

// Removes an index with its journals. Does nothing if there is none. Fails with the error of the
// system.
Result<void> remove_index(const std::string& path);

// Gives a closed draft the name of an index, which it replaces. A process that is killed meanwhile
// leaves one of the two; if others read the old one all the time, or it is damaged, the old one
// goes first. Fails with the error of the system. REQUIRES: nobody else writes either of them.
Result<void> replace_index(const std::string& path, const std::string& draft);

// Tells whether a file can be replaced by a new index: it does not exist, is empty, is an index of
// any format, or has the usual name of an index or of its draft and is no database (a damaged one).
bool is_replaceable_index(const std::string& path);

}  // namespace gossamer::index
