#include "index/search_writer.h"

#include <algorithm>
#include <array>

#include "async/monotonic.h"
#include "base/hash.h"
#include "index/stored_time.h"
#include "url/url.h"

namespace gossamer::index {
namespace {

// Of everything that is indexed: a page with a new title is a new version.
std::uint64_t digest_of(const PageText& text) {
  return base::hash64(text.rest, base::hash64(text.main, base::hash64(text.title)));
}

std::string_view sketch_bytes(const PageText& text) {
  if (!text.sketch) return {};
  const auto& values = text.sketch->values;
  return {reinterpret_cast<const char*>(values.data()), values.size()};
}

}  // namespace

struct SearchWriter::Statements {
  Statement find;
  Statement find_same;
  Statement insert_page;
  Statement insert_content;
  Statement insert_words;
  Statement find_source;
  Statement insert_source;
  Statement set_position;
  Statement position;
  Statement count_language;
};

SearchWriter::SearchWriter(std::string path) : path_(std::move(path)) {}
SearchWriter::~SearchWriter() = default;
SearchWriter::SearchWriter(SearchWriter&&) noexcept = default;

Result<SearchWriter> SearchWriter::open(const std::string& path) {
  SearchWriter writer(path);
  auto connected = writer.connect();
  if (connected) return writer;
  const bool is_useless =
      connected.error() == Errc::malformed || connected.error() == Errc::unsupported;
  if (!is_useless) return fail(std::move(connected).error());
  auto created = create(path);
  if (created) created->was_rebuilt_ = true;
  return created;
}

Result<SearchWriter> SearchWriter::create(const std::string& path) {
  if (!is_replaceable_index(path)) return fail(foreign_file(path));
  std::vector<std::string> former = indexed_archives(path);
  if (auto removed = remove_index(path); !removed) return fail(std::move(removed).error());
  SearchWriter writer(path);
  if (auto connected = writer.connect(); !connected) return fail(std::move(connected).error());
  writer.former_archives_ = std::move(former);
  return writer;
}

Result<void> SearchWriter::connect() {
  auto index = IndexDatabase::open_to_write(path_);
  if (!index) return fail(std::move(index).error());
  constexpr auto kSql = std::to_array<std::string_view>({
      "SELECT id FROM page WHERE url = ? AND captured = ?",
      "SELECT id FROM page WHERE url = ? AND digest = ? AND same_as IS NULL",
      "INSERT INTO page(url, captured, site, site_key, title, lang, mime, source, offset, digest,"
      " same_as, text_bytes, sketch) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
      "INSERT INTO content(id, main_bytes, text) VALUES(?, ?, ?)",
      "INSERT INTO fts(rowid, title, url, main, rest) VALUES(?, ?, ?, ?, ?)",
      "SELECT id FROM source WHERE path = ? AND member = ?",
      "INSERT INTO source(path, member) VALUES(?, ?) RETURNING id",
      "UPDATE source SET offset = ?, fingerprint = ? WHERE id = ?",
      "SELECT offset, fingerprint FROM source WHERE path = ? AND member = ?",
      "INSERT INTO language(code, pages) VALUES(?, 1)"
      " ON CONFLICT(code) DO UPDATE SET pages = pages + 1",
  });
  std::vector<Statement> made;
  for (const std::string_view sql : kSql) {
    auto statement = (*index)->database().prepare(sql);
    if (!statement) return fail(std::move(statement).error());
    made.push_back(std::move(*statement));
  }
  index_ = std::move(*index);
  statements_ = std::make_unique<Statements>(
      Statements{std::move(made[0]), std::move(made[1]), std::move(made[2]), std::move(made[3]),
                 std::move(made[4]), std::move(made[5]), std::move(made[6]), std::move(made[7]),
                 std::move(made[8]), std::move(made[9])});
  return {};
}

Result<void> SearchWriter::begin() {
  if (has_batch()) return {};
  batch_pages_ = 0;
  batch_bytes_ = 0;
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
  auto done = index_->database().execute("COMMIT");
  if (!done) {
    sources_.clear();  // some may be of this batch
    static_cast<void>(index_->database().execute("ROLLBACK"));
  }
  return done;
}

Result<std::optional<std::int64_t>> SearchWriter::find(std::string_view url, WallTime captured) {
  Statement& statement = statements_->find;
  auto row = statement.text(url).number(to_stored_time(captured)).step();
  std::optional<std::int64_t> id;
  if (row && *row) id = statement.number_at(0);
  statement.reset();
  if (!row) return fail(std::move(row).error());
  return id;
}

Result<std::optional<std::int64_t>> SearchWriter::find_same(std::string_view url,
                                                            std::uint64_t digest) {
  Statement& statement = statements_->find_same;
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
  const std::uint64_t digest = digest_of(text);
  auto same = find_same(origin.url, digest);
  if (!same) return fail(std::move(same).error());
  const std::size_t bytes = text.main.size() + text.rest.size();
  auto id = insert_page(origin, text, digest, bytes, *same);
  if (!id) return fail(std::move(id).error());
  if (!*same) {
    if (auto done = insert_text(*id, origin, text); !done) return fail(std::move(done).error());
    batch_bytes_ += bytes;
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
  Statement& row = statements_->insert_page;
  row.text(origin.url).number(to_stored_time(origin.captured)).text(site).text(key);
  row.text(text.title).text(text.language).text(origin.mime).number(*source);
  row.number(static_cast<std::int64_t>(origin.offset)).number(static_cast<std::int64_t>(digest));
  same_as ? row.number(*same_as) : row.null();
  row.number(static_cast<std::int64_t>(text_bytes));
  const std::string_view sketch = sketch_bytes(text);
  sketch.empty() || same_as ? row.null() : row.blob(sketch);
  auto stepped = row.step();
  const std::int64_t id = stepped && *stepped ? row.number_at(0) : 0;
  row.reset();
  if (!stepped) return fail(std::move(stepped).error());
  return id;
}

Result<void> SearchWriter::insert_text(std::int64_t id, const PageOrigin& origin,
                                       const PageText& text) {
  const std::string whole = joined_text(text);
  Statement& content = statements_->insert_content;
  content.number(id).number(static_cast<std::int64_t>(text.main.size()));
  if (auto done = content.blob(packer_.pack(whole)).run(); !done) return done;
  index_->tokenizer().set_language(text.language);
  const std::string words = url_words(origin.url);
  Statement& row = statements_->insert_words;
  return row.number(id).text(text.title).text(words).text(text.main).text(text.rest).run();
}

Result<bool> SearchWriter::add_revisit(const PageOrigin& origin, std::string_view first_url,
                                       WallTime first_captured) {
  auto present = has(origin.url, origin.captured);
  if (!present) return fail(std::move(present).error());
  auto first = find(first_url, first_captured);
  if (!first) return fail(std::move(first).error());
  if (*present || !*first) return false;
  auto read = index_->database().prepare(
      "SELECT first.title, first.lang, first.mime, content.main_bytes, content.text"
      " FROM page AS first JOIN content ON content.id = coalesce(first.same_as, first.id)"
      " WHERE first.id = ?");
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
  text.sketch = content::text_sketch(text.main.empty() ? text.rest : text.main);
  read->reset();
  return add(whole, text);
}

Result<std::int64_t> SearchWriter::source_id(const ArchiveName& archive) {
  const auto known = sources_.find(archive);
  if (known != sources_.end()) return known->second;
  std::int64_t id = 0;
  for (Statement* const statement : {&statements_->find_source, &statements_->insert_source}) {
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
  Statement& row = statements_->set_position;
  row.number(static_cast<std::int64_t>(position.offset));
  return row.number(static_cast<std::int64_t>(position.fingerprint)).number(*id).run();
}

Result<ArchivePosition> SearchWriter::position(const ArchiveName& archive) {
  Statement& statement = statements_->position;
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
