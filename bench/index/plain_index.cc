#include "bench/index/plain_index.h"

#include "base/check.h"
#include "index/packed_text.h"
#include "index/search_writer.h"
#include "store/sqlite.h"

namespace gossamer::bench {

void fill_plain_index(const IndexedDocuments& documents, const std::string& path) {
  auto database = store::Database::open(path, store::Database::Access::write);
  CHECK(database.has_value());
  CHECK(database
            ->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                      "CREATE TABLE page(id INTEGER PRIMARY KEY, url TEXT, title TEXT, text BLOB);"
                      "CREATE VIRTUAL TABLE fts USING fts5(title, text, content='',"
                      " tokenize='porter unicode61'); BEGIN")
            .has_value());
  auto page = database->prepare("INSERT INTO page(id, url, title, text) VALUES(?, ?, ?, ?)");
  auto words = database->prepare("INSERT INTO fts(rowid, title, text) VALUES(?, ?, ?)");
  CHECK(page.has_value() && words.has_value());
  index::TextPacker packer;
  std::size_t count = 0;
  for (const IndexedDocument& one : documents.pages) {
    const auto id = static_cast<std::int64_t>(++count);
    const std::string text = one.text.main + one.text.rest;
    page->number(id).text(one.url).text(one.text.title).blob(packer.pack(text));
    CHECK(page->run().has_value());
    CHECK(words->number(id).text(one.text.title).text(text).run().has_value());
    if (count % index::SearchWriter::kBatchPages == 0) {
      CHECK(database->execute("COMMIT; BEGIN").has_value());
    }
  }
  CHECK(database->execute("COMMIT").has_value());
}

}  // namespace gossamer::bench
