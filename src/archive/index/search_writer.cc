#include "index/search_writer.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "async/monotonic.h"
#include "base/hash.h"
#include "index/stored_time.h"
#include "url/url.h"

namespace gossamer::index {
namespace {

// Of everything that is indexed: a page with a new title is a new version. With the URL, so that an
// index of digests alone finds the versions of a page.
std::uint64_t digest_of(std::string_view url, const PageText& text) {
  const std::uint64_t title = base::hash64(text.title, base::hash64(url));
  return base::hash64(text.rest, base::hash64(text.main, title));
}

std::int64_t capture_key(std::string_view url, WallTime captured) {
  const auto time = static_cast<std::uint64_t>(to_stored_time(captured));
  return static_cast<std::int64_t>(base::hash64(url, time));
}

// Removes what a process that was killed left, but no file of the user.
Result<void> remove_draft(const std::string& draft) {
  if (!is_replaceable_index(draft)) return fail(foreign_file(draft));
  return remove_index(draft);
}

bool is_useless(const Error& error) {
  return error == Errc::malformed || error == Errc::unsupported;
}

std::string_view sketch_bytes(const PageText& text) {
  if (!text.sketch) return {};
  const auto& values = text.sketch->values;
  return {reinterpret_cast<const char*>(values.data()), values.size()};
}

}  // namespace

struct SearchWriter::Statements {
  store::Statement find;
  store::Statement find_same;
  store::Statement insert_page;
  store::Statement insert_content;
  store::Statement insert_words;
  store::Statement find_source;
  store::Statement insert_source;
  store::Statement set_position;
  store::Statement position;
  store::Statement count_language;
  store::Statement set_newest;
  store::Statement skip;
  store::Statement is_skipped;
  store::Statement insert_sections;
  store::Statement count_commit;
};

SearchWriter::SearchWriter(std::string path) : path_(std::move(path)) {}
SearchWriter::SearchWriter(SearchWriter&&) noexcept = default;

SearchWriter::~SearchWriter() {
  const bool has_draft = index_ != nullptr && !draft_.empty();
  disconnect();
  if (has_draft) static_cast<void>(remove_index(draft_));
}

Result<SearchWriter> SearchWriter::open(const std::string& path) {
  if (!is_replaceable_index(path)) return fail(foreign_file(path));
  SearchWriter writer(path);
  auto shared = IndexLock::share(path);
  if (!shared) return fail(std::move(shared).error());
  writer.lock_ = std::move(*shared);
  // Nobody builds a new one now.
  if (auto removed = remove_draft(path + std::string(kDraftEnding)); !removed) {
    return fail(std::move(removed).error());
  }
  auto connected = writer.connect();
  if (connected) return writer;
  if (!is_useless(connected.error())) return fail(std::move(connected).error());
  writer.lock_ = IndexLock();
  if (auto replaced = writer.replace(); !replaced) return fail(std::move(replaced).error());
  return writer;
}

// A damaged index finds nothing, so it goes immediately.
Result<void> SearchWriter::replace() {
  auto taken = IndexLock::take(path_);
  if (!taken) return fail(std::move(taken).error());
  lock_ = std::move(*taken);
  auto connected = connect();
  // Otherwise, another process was faster.
  if (!connected) {
    if (!is_useless(connected.error())) return connected;
    former_archives_ = indexed_archives(path_);
    if (auto removed = remove_index(path_); !removed) return removed;
    if (auto again = connect(); !again) return again;
    was_rebuilt_ = true;
  }
  return share_lock();
}

// Between the locks, another process may put a new index there. So the old one is left before.
Result<void> SearchWriter::share_lock() {
  disconnect();
  sources_.clear();
  lock_ = IndexLock();
  auto shared = IndexLock::share(path_);
  if (!shared) return fail(std::move(shared).error());
  lock_ = std::move(*shared);
  return connect();
}

Result<SearchWriter> SearchWriter::create(const std::string& path) {
  if (!is_replaceable_index(path)) return fail(foreign_file(path));
  SearchWriter writer(path);
  auto taken = IndexLock::take(path);
  if (!taken) return fail(std::move(taken).error());
  writer.lock_ = std::move(*taken);
  writer.former_archives_ = indexed_archives(path);
  writer.draft_ = path + std::string(kDraftEnding);
  if (auto removed = remove_draft(writer.draft_); !removed) return fail(std::move(removed).error());
  if (auto connected = writer.connect(); !connected) return fail(std::move(connected).error());
  return writer;
}

Result<void> SearchWriter::publish() {
  if (auto done = commit(); !done || draft_.empty()) return done;
  // Closing moves the log into the file.
  disconnect();
  if (access((draft_ + "-wal").c_str(), F_OK) == 0) {
    return fail(Errc::io_failed, "cannot complete " + draft_);
  }
  if (auto replaced = replace_index(path_, draft_); !replaced) return replaced;
  draft_.clear();
  return share_lock();
}

void SearchWriter::disconnect() {
  statements_.reset();
  index_.reset();
  // The last writer has moved its log into the file, whose pages have checksums.
  const bool has_log = access((path_ + "-wal").c_str(), F_OK) == 0;
  if (position_ && !has_log) {
    const PositionName place(path_);
    const auto folder = store::Folder::open(place.folder);
    if (folder) static_cast<void>(position_->remove(*folder, place.name));
  }
  position_.reset();
}

Result<void> SearchWriter::connect() {
  auto index = IndexDatabase::open_to_write(draft_.empty() ? path_ : draft_);
  if (!index) return fail(std::move(index).error());
  constexpr auto kSql = std::to_array<std::string_view>({
      "SELECT id FROM page WHERE url = ? AND captured = ?",
      "SELECT id FROM page WHERE +url = ? AND digest = ? AND same_as IS NULL",
      // Without RETURNING: that opens a savepoint for each row, and FTS5 writes the words that it
      // has in memory to the file at every savepoint.
      "INSERT INTO page(url, captured, site, site_key, title, lang, mime, source, offset, digest,"
      " same_as, newest, text_bytes, sketch)"
      " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?2, ?, ?)",
      "INSERT INTO content(id, main_bytes, text) VALUES(?, ?, ?)",
      "INSERT INTO fts(rowid, title, url, main, rest) VALUES(?, ?, ?, ?, ?)",
      "SELECT id FROM source WHERE path = ? AND member = ?",
      "INSERT INTO source(path, member) VALUES(?, ?) RETURNING id",
      "UPDATE source SET offset = ?, fingerprint = ? WHERE id = ?",
      "SELECT offset, fingerprint FROM source WHERE path = ? AND member = ?",
      "INSERT INTO language(code, pages) VALUES(?, 1)"
      " ON CONFLICT(code) DO UPDATE SET pages = pages + 1",
      "UPDATE page SET newest = ?1 WHERE id = ?2 AND newest < ?1",
      "INSERT OR IGNORE INTO skipped(capture) VALUES(?)",
      "SELECT 1 FROM skipped WHERE capture = ?",
      "INSERT INTO section(id, list) VALUES(?, ?)",
      // At the end of a batch, where its savepoint does not matter.
      "INSERT INTO commits(id, count) VALUES(0, 1) ON CONFLICT(id) DO UPDATE SET count = count + 1"
      " RETURNING count",
  });
  std::vector<store::Statement> made;
  for (const std::string_view sql : kSql) {
    auto statement = (*index)->database().prepare(sql);
    if (!statement) return fail(std::move(statement).error());
    made.push_back(std::move(*statement));
  }
  index_ = std::move(*index);
  statements_ = std::make_unique<Statements>(
      Statements{std::move(made[0]), std::move(made[1]), std::move(made[2]), std::move(made[3]),
                 std::move(made[4]), std::move(made[5]), std::move(made[6]), std::move(made[7]),
                 std::move(made[8]), std::move(made[9]), std::move(made[10]), std::move(made[11]),
                 std::move(made[12]), std::move(made[13]), std::move(made[14])});
  return draft_.empty() ? note_commits_from_here() : Result<void>();
}

// Nobody reads a draft, and it has no log when it gets its name.
Result<void> SearchWriter::note_commits_from_here() {
  auto commits = index_->commits();
  if (!commits) return fail(std::move(commits).error());
  const PositionName place(path_);
  const auto folder = store::Folder::open(place.folder);
  if (!folder) return {};
  position_ = std::make_unique<store::RowPositionFile>(*folder, place.name, *commits);
  return {};
}

Result<void> SearchWriter::begin() {
  if (has_batch()) return {};
  batch_pages_ = 0;
  batch_bytes_ = 0;
  batch_lengths_.clear();
  batch_begun_ = async::monotonic_now();
  return index_->database().execute("BEGIN IMMEDIATE");
}

bool SearchWriter::has_batch() const { return index_->database().is_in_transaction(); }

bool SearchWriter::is_batch_full() const {
  if (!has_batch()) return false;
  return batch_pages_ >= kBatchPages || batch_bytes_ >= kBatchBytes ||
         async::monotonic_now() - batch_begun_ >= kBatchTime;
}

Result<void> SearchWriter::commit() {
  if (!has_batch()) return {};
  auto done = add_lengths(index_->database(), batch_lengths_);
  auto counted = done ? statements_->count_commit.step() : fail(std::move(done).error());
  const std::int64_t commits = counted ? statements_->count_commit.number_at(0) : 0;
  statements_->count_commit.reset();
  done = counted ? index_->database().execute("COMMIT") : fail(std::move(counted).error());
  if (done && position_) position_->note_written(static_cast<std::uint64_t>(commits));
  if (!done) {
    sources_.clear();  // some may be of this batch
    static_cast<void>(index_->database().execute("ROLLBACK"));
  }
  return done;
}

Result<std::optional<std::int64_t>> SearchWriter::find(std::string_view url, WallTime captured) {
  store::Statement& statement = statements_->find;
  auto row = statement.text(url).number(to_stored_time(captured)).step();
  std::optional<std::int64_t> id;
  if (row && *row) id = statement.number_at(0);
  statement.reset();
  if (!row) return fail(std::move(row).error());
  return id;
}

Result<std::optional<std::int64_t>> SearchWriter::find_same(std::string_view url,
                                                            std::uint64_t digest) {
  store::Statement& statement = statements_->find_same;
  auto row = statement.text(url).number(static_cast<std::int64_t>(digest)).step();
  std::optional<std::int64_t> id;
  if (row && *row) id = statement.number_at(0);
  statement.reset();
  if (!row) return fail(std::move(row).error());
  return id;
}

Result<bool> SearchWriter::has(std::string_view url, WallTime captured) {
  auto found = find(url, captured);
  if (!found) return fail(std::move(found).error());
  return found->has_value();
}

Result<bool> SearchWriter::add(const PageOrigin& origin, const PageText& text) {
  if (auto begun = begin(); !begun) return fail(std::move(begun).error());
  auto present = has(origin.url, origin.captured);
  if (!present) return fail(std::move(present).error());
  if (*present) return false;
  const std::uint64_t digest = digest_of(origin.url, text);
  auto same = find_same(origin.url, digest);
  if (!same) return fail(std::move(same).error());
  const std::size_t bytes = text.main.size() + text.rest.size();
  auto id = insert_page(origin, text, digest, bytes, *same);
  if (!id) return fail(std::move(id).error());
  if (!*same) {
    if (auto done = insert_text(*id, origin, text); !done) return fail(std::move(done).error());
    batch_bytes_ += bytes;
  } else {
    store::Statement& newest = statements_->set_newest;
    if (auto done = newest.number(to_stored_time(origin.captured)).number(**same).run(); !done) {
      return fail(std::move(done).error());
    }
  }
  if (auto done = statements_->count_language.text(text.language).run(); !done) {
    return fail(std::move(done).error());
  }
  ++batch_pages_;
  ++added_;
  return true;
}

Result<std::int64_t> SearchWriter::insert_page(const PageOrigin& origin, const PageText& text,
                                               std::uint64_t digest, std::uint64_t text_bytes,
                                               std::optional<std::int64_t> same_as) {
  auto source = source_id(origin.archive);
  if (!source) return fail(std::move(source).error());
  const auto url = url::Url::parse(origin.url);
  const std::string site(url ? url->host() : std::string_view());
  const std::string key =
      url ? site_key(url->hostname(), url->port()) : site_key(std::string_view());
  store::Statement& row = statements_->insert_page;
  row.text(origin.url).number(to_stored_time(origin.captured)).text(site).text(key);
  row.text(text.title).text(text.language).text(origin.mime).number(*source);
  row.number(static_cast<std::int64_t>(origin.offset)).number(static_cast<std::int64_t>(digest));
  same_as ? row.number(*same_as) : row.null();
  row.number(static_cast<std::int64_t>(text_bytes));
  const std::string_view sketch = sketch_bytes(text);
  sketch.empty() || same_as ? row.null() : row.blob(sketch);
  if (auto done = row.run(); !done) return fail(std::move(done).error());
  return index_->database().last_id();
}

Result<void> SearchWriter::insert_text(std::int64_t id, const PageOrigin& origin,
                                       const PageText& text) {
  const std::string whole = joined_text(text);
  store::Statement& content = statements_->insert_content;
  content.number(id).number(static_cast<std::int64_t>(text.main.size()));
  if (auto done = content.blob(packer_.pack(whole)).run(); !done) return done;
  if (auto done = insert_sections(id, text.sections); !done) return done;
  index_->tokenizer().set_language(text.language);
  const std::string words = url_words(origin.url);
  store::Statement& row = statements_->insert_words;
  index_->tokenizer().take_words();
  row.number(id).text(text.title).text(words).text(text.main).text(text.rest);
  if (auto done = row.run(); !done) return done;
  batch_lengths_.emplace_back(id, index_->tokenizer().take_words());
  return {};
}

Result<void> SearchWriter::insert_sections(std::int64_t id, const std::vector<Section>& sections) {
  if (sections.empty()) return {};
  const std::string list = sections_text(sections);
  return statements_->insert_sections.number(id).blob(packer_.pack(list)).run();
}

Result<bool> SearchWriter::add_revisit(const PageOrigin& origin, std::string_view first_url,
                                       WallTime first_captured) {
  auto present = has(origin.url, origin.captured);
  if (!present) return fail(std::move(present).error());
  auto first = find(first_url, first_captured);
  if (!first) return fail(std::move(first).error());
  if (*present || !*first) return false;
  auto read = index_->database().prepare(
      "SELECT first.title, first.lang, first.mime, content.main_bytes, content.text, section.list"
      " FROM page AS first JOIN content ON content.id = coalesce(first.same_as, first.id)"
      " LEFT JOIN section ON section.id = content.id WHERE first.id = ?");
  if (!read) return fail(std::move(read).error());
  auto row = read->number(**first).step();
  if (!row) return fail(std::move(row).error());
  if (!*row) return fail(Errc::malformed, "the index has a page without a text");
  PageText text = {.title = std::string(read->text_at(0)),
                   .language = std::string(read->text_at(1))};
  PageOrigin whole = origin;
  if (whole.mime.empty()) whole.mime = read->text_at(2);
  const auto main_bytes = static_cast<std::size_t>(read->number_at(3));
  auto unpacked = index_->unpacker().unpack(read->blob_at(4));
  if (!unpacked) return fail(std::move(unpacked).error());
  const TextParts parts = split_text(*unpacked, std::min(main_bytes, unpacked->size()));
  text.main = parts.main;
  text.rest = parts.rest;
  if (const auto list = index_->unpacker().unpack(read->blob_at(5))) {
    text.sections = parse_sections(*list, text.main.size());
  }
  text.sketch = content::text_sketch(text.main.empty() ? text.rest : text.main);
  read->reset();
  return add(whole, text);
}

Result<void> SearchWriter::skip(std::string_view url, WallTime captured) {
  if (auto begun = begin(); !begun) return begun;
  return statements_->skip.number(capture_key(url, captured)).run();
}

Result<bool> SearchWriter::is_skipped(std::string_view url, WallTime captured) {
  store::Statement& statement = statements_->is_skipped;
  auto row = statement.number(capture_key(url, captured)).step();
  statement.reset();
  return row;
}

Result<std::int64_t> SearchWriter::source_id(const ArchiveName& archive) {
  const auto known = sources_.find(archive);
  if (known != sources_.end()) return known->second;
  std::int64_t id = 0;
  for (store::Statement* const statement :
       {&statements_->find_source, &statements_->insert_source}) {
    auto row = statement->text(archive.path).text(archive.member).step();
    if (row && *row) id = statement->number_at(0);
    statement->reset();
    if (!row) return fail(std::move(row).error());
    if (id != 0) break;
  }
  sources_.emplace(archive, id);
  return id;
}

Result<void> SearchWriter::set_position(const ArchiveName& archive,
                                        const ArchivePosition& position) {
  if (auto begun = begin(); !begun) return begun;
  auto id = source_id(archive);
  if (!id) return fail(std::move(id).error());
  store::Statement& row = statements_->set_position;
  row.number(static_cast<std::int64_t>(position.offset));
  return row.number(static_cast<std::int64_t>(position.fingerprint)).number(*id).run();
}

Result<ArchivePosition> SearchWriter::position(const ArchiveName& archive) {
  store::Statement& statement = statements_->position;
  auto row = statement.text(archive.path).text(archive.member).step();
  ArchivePosition position;
  if (row && *row) {
    position.offset = static_cast<std::uint64_t>(statement.number_at(0));
    position.fingerprint = static_cast<std::uint64_t>(statement.number_at(1));
  }
  statement.reset();
  if (!row) return fail(std::move(row).error());
  return position;
}

}  // namespace gossamer::index
