// Any text is a query or an error. A query is the same after it was written and parsed again, FTS5
// accepts what becomes of it, and a snippet of any text can be made.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "index/fts_tokenizer.h"
#include "index/match.h"
#include "index/query.h"
#include "index/query_words.h"
#include "index/snippet.h"
#include "store/sqlite.h"

namespace {

using namespace gossamer;

// A table with the columns of an index.
class EmptyIndex {
 public:
  EmptyIndex() : database_(opened()) {
    settings_.set_query_languages({"en", "de"});
    CHECK(index::register_tokenizer(database_, settings_).has_value());
    CHECK(database_
              .execute("CREATE VIRTUAL TABLE fts USING fts5(title, url, main, rest,"
                       " tokenize='gossamer')")
              .has_value());
  }

  void search(const std::string& match) {
    auto statement = database_.prepare("SELECT rowid FROM fts WHERE fts MATCH ?");
    CHECK(statement.has_value());
    CHECK(statement->text(match).step().has_value());
  }
  index::Stemmers& stemmers() { return settings_.stemmers(); }
  const std::vector<index::Stemmer*>& query_stemmers() const { return settings_.query_stemmers(); }

 private:
  static store::Database opened() {
    auto database = store::Database::open(":memory:", store::Database::Access::write);
    CHECK(database.has_value());
    return std::move(*database);
  }

  index::TokenizerSettings settings_;
  store::Database database_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static EmptyIndex empty;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto query = index::parse_query(text);
  if (!query) {
    CHECK(query.error() == Errc::invalid_argument);
    CHECK(!query.error().detail().empty());
    return 0;
  }
  const auto again = index::parse_query(index::to_text(*query));
  CHECK(again.has_value());
  CHECK(*again == *query);
  const index::MatchText match = index::match_text(*query, empty.query_stemmers());
  if (!match.wanted.empty()) empty.search(match.whole());
  if (!match.excluded.empty()) empty.search(match.excluded);
  const index::QueryWords words(*query, empty.stemmers());
  const index::MarkedText snippet = index::make_snippet(text, words, words.matcher("en"), 32);
  for (const index::Mark& mark : snippet.marks) {
    CHECK(mark.begin < mark.end && mark.end <= snippet.text.size());
  }
  return 0;
}
