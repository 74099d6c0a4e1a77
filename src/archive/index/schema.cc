#include "index/schema.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "index/best_rank.h"
#include "index/checked_pages.h"
#include "index/page_lengths.h"
#include "index/page_text.h"
#include "index/search_reader.h"
#include "store/beneath.h"
#include "store/row_position.h"

namespace gossamer::index {
namespace {

// "GOSS", in the header of the file.
constexpr std::int32_t kApplicationId = 0x474F5353;

// Texts are in a table of their own, so that conditions and facets read few pages of the file.
// A capture whose text is that of another capture of its URL has no text (same_as). The one with
// the text knows the newest of them. `skipped` has the captures that are not indexed, such as
// images: a later record may refer to them. `length` has the words of pages (index/page_lengths.h).
//
// FTS5 collects words in a table in memory (hashsize), which should fit into the cache of the
// processor. It merges less often than usual (automerge): words are copied fewer times, and a
// search looks at a few more pieces of the index. Its pieces are shorter by the eight bytes of a
// checksum (pgsz), so that each still fits into a page.
constexpr const char* kTables = R"(
CREATE TABLE source(id INTEGER PRIMARY KEY, path TEXT NOT NULL, member TEXT NOT NULL,
  offset INTEGER NOT NULL DEFAULT 0, fingerprint INTEGER NOT NULL DEFAULT 0,
  UNIQUE(path, member));
CREATE TABLE page(id INTEGER PRIMARY KEY, url TEXT NOT NULL, captured INTEGER NOT NULL,
  site TEXT NOT NULL, site_key TEXT NOT NULL, title TEXT NOT NULL, lang TEXT NOT NULL,
  mime TEXT NOT NULL, source INTEGER NOT NULL, offset INTEGER NOT NULL, digest INTEGER NOT NULL,
  same_as INTEGER, newest INTEGER NOT NULL, text_bytes INTEGER NOT NULL, sketch BLOB);
CREATE UNIQUE INDEX page_capture ON page(url, captured);
CREATE INDEX page_text_of ON page(digest) WHERE same_as IS NULL;
CREATE INDEX page_site ON page(site_key, captured);
CREATE INDEX page_time ON page(captured);
CREATE INDEX page_newest ON page(newest) WHERE same_as IS NULL;
CREATE INDEX page_same ON page(same_as, captured) WHERE same_as IS NOT NULL;
CREATE TABLE skipped(capture INTEGER PRIMARY KEY);
CREATE TABLE language(code TEXT PRIMARY KEY, pages INTEGER NOT NULL);
CREATE TABLE length(block INTEGER PRIMARY KEY, words BLOB NOT NULL);
CREATE TABLE content(id INTEGER PRIMARY KEY, main_bytes INTEGER NOT NULL, text BLOB NOT NULL);
CREATE VIEW page_text AS SELECT page.id AS id, in_language(lang, title) AS title,
  url_words(url) AS url, text_part(text, main_bytes, 0) AS main,
  text_part(text, main_bytes, 1) AS rest
  FROM page JOIN content ON content.id = page.id WHERE same_as IS NULL;
CREATE VIRTUAL TABLE fts USING fts5(title, url, main, rest, content='page_text',
  content_rowid='id', tokenize='gossamer');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(fts, row);
INSERT INTO fts(fts, rank) VALUES('hashsize', 2097152);
INSERT INTO fts(fts, rank) VALUES('automerge', 8);
INSERT INTO fts(fts, rank) VALUES('pgsz', 4042);
)";

// Places in texts, compressed (index/sections.h). An index of an earlier version has no such table,
// so its results lead to pages.
constexpr const char* kSectionTable =
    "CREATE TABLE IF NOT EXISTS section(id INTEGER PRIMARY KEY, list BLOB NOT NULL)";

// One row: how many commits there were.
constexpr const char* kCommitTable =
    "CREATE TABLE IF NOT EXISTS commits(id INTEGER PRIMARY KEY, count INTEGER NOT NULL)";

std::string_view text_of(sqlite3_value* value) {
  const auto* const data = static_cast<const char*>(sqlite3_value_blob(value));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

void return_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}

// in_language(lang, title): FTS5 reads all columns of a row of the view before it tokenizes them.
void call_in_language(sqlite3_context* context, int, sqlite3_value** values) {
  auto& database = *static_cast<IndexDatabase*>(sqlite3_user_data(context));
  database.tokenizer().set_language(text_of(values[0]));
  sqlite3_result_value(context, values[1]);
}

void call_url_words(sqlite3_context* context, int, sqlite3_value** values) {
  return_text(context, url_words(text_of(values[0])));
}

// text_part(text, main_bytes, 0 or 1): the main text, or the rest.
void call_text_part(sqlite3_context* context, int, sqlite3_value** values) {
  auto& database = *static_cast<IndexDatabase*>(sqlite3_user_data(context));
  const auto text = database.unpacker().unpack(text_of(values[0]));
  const sqlite3_int64 main = sqlite3_value_int64(values[1]);
  if (!text || main < 0 || static_cast<std::size_t>(main) > text->size()) {
    sqlite3_result_error_code(context, SQLITE_CORRUPT);
    return;
  }
  const TextParts parts = split_text(*text, static_cast<std::size_t>(main));
  return_text(context, sqlite3_value_int(values[2]) == 0 ? parts.main : parts.rest);
}

using Function = void (*)(sqlite3_context*, int, sqlite3_value**);
// No exception may pass through C.
template <Function kFunction>
void guarded(sqlite3_context* context, int count, sqlite3_value** values) try {
  kFunction(context, count, values);
} catch (...) {
  sqlite3_result_error_nomem(context);
}

std::int32_t big_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int at = 0; at < 4; ++at) value = value << 8 | static_cast<unsigned char>(bytes[at]);
  return static_cast<std::int32_t>(value);
}

Result<std::int64_t> pragma_value(store::Database& database, std::string_view pragma) {
  auto statement = database.prepare(pragma);
  if (!statement) return fail(std::move(statement).error());
  auto row = statement->step();
  if (!row) return fail(std::move(row).error());
  return *row ? statement->number_at(0) : 0;
}

bool is_missing(const std::string& path) {
  struct stat found = {};
  return stat(path.c_str(), &found) != 0 && errno == ENOENT;
}

// The folder may come from another person, and the link lead to another file of the user.
bool is_link(const std::string& path) {
  struct stat found = {};
  return lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode);
}

Result<void> remove_file(const std::string& name) {
  if (unlink(name.c_str()) == 0 || errno == ENOENT) return {};
  return fail(Error::from_errno(errno, "cannot remove " + name));
}

Result<void> remove_journals(const std::string& path) {
  for (const char* const ending : {"-journal", "-wal", "-shm", "-position"}) {
    if (auto removed = remove_file(path + ending); !removed) return removed;
  }
  return {};
}

// Moves the journals of a database into its file. Returns false if it is damaged, or if another
// process reads it for so long that this is not possible.
bool complete_file(const std::string& path) {
  auto database = open_checked(path, store::Database::Access::write);
  if (!database) return false;
  auto checkpoint = database->prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!checkpoint) return false;
  const auto row = checkpoint->step();
  if (!row || !*row || checkpoint->number_at(0) != 0) return false;
  checkpoint->reset();
  // A process that opens the file from now on makes no journals beside it, which the next file of
  // that name would inherit. Not possible while others have it open: they have made theirs.
  static_cast<void>(database->execute("PRAGMA journal_mode = DELETE"));
  return true;
}

}  // namespace

Result<void> IndexDatabase::prepare() {
  const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  // The first one is not deterministic: it must run for every row.
  struct Named {
    const char* name;
    int values;
    int flags;
    Function function;
  };
  const std::array<Named, 3> functions = {{
      {"in_language", 2, SQLITE_UTF8 | SQLITE_INNOCUOUS, guarded<call_in_language>},
      {"url_words", 1, flags, guarded<call_url_words>},
      {"text_part", 3, flags, guarded<call_text_part>},
  }};
  for (const Named& one : functions) {
    if (sqlite3_create_function_v2(database_.get(), one.name, one.values, one.flags, this,
                                   one.function, nullptr, nullptr, nullptr) != SQLITE_OK) {
      return fail(database_.error());
    }
  }
  // The text of a page must not become code.
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (auto added = register_best_rank(database_); !added) return added;
  return register_tokenizer(database_, tokenizer_);
}

Result<void> IndexDatabase::check_format() {
  auto application = pragma_value(database_, "PRAGMA application_id");
  if (!application) return fail(std::move(application).error());
  if (*application != kApplicationId) return fail(Errc::malformed, "it is not a search index");
  auto format = pragma_value(database_, "PRAGMA user_version");
  if (!format) return fail(std::move(format).error());
  if (*format != kIndexFormat && *format != kUncheckedIndexFormat) {
    return fail(Errc::unsupported, "another version of Gossamer wrote this index");
  }
  if (has_checksums(database_) != (*format == kIndexFormat)) {
    return fail(Errc::malformed, "its header is damaged");
  }
  return {};
}

Result<std::uint64_t> IndexDatabase::commits() {
  auto has_table = pragma_value(database_, "SELECT 1 FROM sqlite_schema WHERE name = 'commits'");
  if (!has_table) return fail(std::move(has_table).error());
  auto count = *has_table == 0 ? Result<std::int64_t>(0)
                               : pragma_value(database_, "SELECT count FROM commits");
  if (!count) return fail(std::move(count).error());
  return static_cast<std::uint64_t>(*count);
}

// A process may put a new index there meanwhile, whose commits are fewer.
Result<void> IndexDatabase::check_commits(const std::string& path) {
  const PositionName position(path);
  const auto folder = store::Folder::open(position.folder);
  const std::uint64_t expected = folder ? store::expected_position(*folder, position.name) : 0;
  if (expected == 0) return {};
  auto found = commits();
  if (!found) return fail(std::move(found).error());
  if (*found >= expected || store::expected_position(*folder, position.name) != expected) return {};
  return fail(Errc::malformed, fmt::format("its log has lost the last {} of {} commits",
                                           expected - *found, expected));
}

PositionName::PositionName(const std::string& index_path) {
  const std::filesystem::path path(index_path);
  folder = path.has_parent_path() ? path.parent_path().string() : ".";
  name = path.filename().string() + "-position";
}

Result<std::unique_ptr<IndexDatabase>> IndexDatabase::open_to_read(const std::string& path) {
  if (is_missing(path)) return fail(Errc::not_found, "there is no search index " + path);
  if (is_link(path)) return fail(store::refusal_of_link(path));
  auto opened = open_checked(path, store::Database::Access::read);
  // A database with a journal needs files beside it. Where none can be made, nobody writes.
  auto usable = opened ? pragma_value(*opened, "PRAGMA schema_version")
                       : Result<std::int64_t>(fail(std::move(opened).error()));
  if (!usable && usable.error() == Errc::not_found) {
    opened = open_checked(path, store::Database::Access::immutable);
  }
  if (!opened) return fail(std::move(opened).error(), "while opening " + path);
  std::unique_ptr<IndexDatabase> index(new IndexDatabase(std::move(*opened)));
  if (auto prepared = index->prepare(); !prepared) return fail(std::move(prepared).error());
  auto checked = index->check_format();
  if (checked) checked = index->check_commits(path);
  if (!checked) return fail(std::move(checked).error(), "while opening " + path);
  if (auto done = index->database_.execute("PRAGMA query_only = ON; PRAGMA mmap_size = 1073741824;"
                                           "PRAGMA cache_size = -16384");
      !done) {
    return fail(std::move(done).error());
  }
  return index;
}

// Two processes may create it at the same time: the second one finds the tables. They are committed
// before the database has a write-ahead log, so that the file is empty or has its id.
Result<void> IndexDatabase::create_tables() {
  begin_checksums(database_);
  if (auto begun = database_.execute("BEGIN IMMEDIATE"); !begun) return begun;
  auto tables = pragma_value(database_, "SELECT count(*) FROM sqlite_schema");
  if (!tables) return fail(std::move(tables).error());
  if (*tables > 0) return database_.execute("COMMIT");
  return database_.execute(std::string(kTables) +
                           "PRAGMA application_id = " + std::to_string(kApplicationId) +
                           "; PRAGMA user_version = " + std::to_string(kIndexFormat) + "; COMMIT");
}

Result<std::unique_ptr<IndexDatabase>> IndexDatabase::open_to_write(const std::string& path) {
  // Before SQLite sees the file: it writes to databases of others, too.
  if (!is_replaceable_index(path)) return fail(foreign_file(path));
  auto opened = open_checked(path, store::Database::Access::write);
  if (!opened) return fail(std::move(opened).error(), "while opening " + path);
  std::unique_ptr<IndexDatabase> index(new IndexDatabase(std::move(*opened)));
  if (auto prepared = index->prepare(); !prepared) return fail(std::move(prepared).error());
  // This also rolls back what a killed process left.
  auto tables = pragma_value(index->database_, "SELECT count(*) FROM sqlite_schema");
  if (!tables) return fail(std::move(tables).error(), "while opening " + path);
  auto done = *tables == 0 ? index->create_tables() : Result<void>();
  if (done) done = index->check_format();
  if (done) done = index->database_.execute(kSectionTable);
  if (done) done = index->database_.execute(kCommitTable);
  if (done) {
    done = index->database_.execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY");
  }
  if (!done) return fail(std::move(done).error(), "while opening " + path);
  return index;
}

Result<void> IndexDatabase::check() {
  auto statement = database_.prepare("PRAGMA quick_check");
  if (!statement) return fail(std::move(statement).error());
  auto row = statement->step();
  if (!row) return fail(std::move(row).error());
  if (statement->text_at(0) != "ok") {
    return fail(Errc::malformed, std::string(statement->text_at(0)));
  }
  statement->reset();
  if (auto checked = check_lengths(database_); !checked) return checked;
  return database_.execute("INSERT INTO fts(fts, rank) VALUES('integrity-check', 1)");
}

FormerArchives indexed_archives(const std::string& path) {
  namespace fs = std::filesystem;
  FormerArchives found;
  if (is_missing(path) || !is_replaceable_index(path)) return found;
  // Without checksums: this is what is left of a damaged index.
  auto database = store::Database::open(path, store::Database::Access::read);
  if (!database) return found;
  auto rows = database->prepare("SELECT DISTINCT path FROM source ORDER BY path");
  if (!rows) return found;
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  const fs::path whole_folder = fs::weakly_canonical(fs::absolute(folder, error), error);
  for (auto row = rows->step(); row && *row; row = rows->step()) {
    const fs::path archive = folder / std::string(rows->text_at(0));
    const fs::path relative =
        fs::weakly_canonical(fs::absolute(archive, error), error).lexically_relative(whole_folder);
    const bool is_below = !error && !relative.empty() && *relative.begin() != "..";
    is_below ? found.paths.push_back(archive.string()) : void(++found.elsewhere);
  }
  return found;
}

Error foreign_file(const std::string& path) {
  if (is_link(path)) return store::refusal_of_link(path);
  return Error(Errc::exists, path + " is not a search index; use another name");
}

Result<void> remove_index(const std::string& path) {
  // The database comes first: SQLite removes the journals of one that is missing, but would take
  // the database without its journals for a whole one.
  if (auto removed = remove_file(path); !removed) return removed;
  return remove_journals(path);
}

Result<void> replace_index(const std::string& path, const std::string& draft) {
  const bool is_whole = !is_missing(path) && complete_file(path);
  if (auto removed = is_whole ? remove_journals(path) : remove_index(path); !removed) {
    return removed;
  }
  if (std::rename(draft.c_str(), path.c_str()) == 0) return {};
  return fail(Error::from_errno(errno, "cannot write " + path));
}

bool is_replaceable_index(const std::string& path) {
  if (is_link(path)) return false;
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return errno == ENOENT;
  if (found.st_size == 0) return true;
  const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return false;
  // Offset 68 of the header of a database has the id of its application.
  std::array<char, 72> header = {};
  const bool is_read = read(file, header.data(), header.size()) == std::ssize(header);
  close(file);
  // Every database has these three numbers at offset 21. Without them it is only the name of one.
  const bool is_database = is_read && std::memcmp(header.data(), "SQLite format 3", 16) == 0 &&
                           std::memcmp(&header[21], "\x40\x20\x20", 3) == 0;
  if (is_database) return big_endian(&header[68]) == kApplicationId;
  std::string name = std::filesystem::path(path).filename();
  if (name.ends_with(kDraftEnding)) name.resize(name.size() - kDraftEnding.size());
  return name == kIndexName;
}

}  // namespace gossamer::index
