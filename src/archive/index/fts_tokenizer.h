// The words of documents and queries, as FTS5 sees them.
//
// A word of a document is indexed folded, as written. If its stem differs, the stem is indexed at
// the same place, with a mark before it. So a quoted word finds exactly that word, a prefix finds
// what begins with it, and any other word finds all its forms.
//
// A text in a query consists of folded words with one space between them (index/match.h).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "index/stemmer.h"
#include "store/sqlite.h"

namespace gossamer::index {

// A text of a query that begins with it has no stems: for quoted phrases and prefixes.
inline constexpr char kExactMark = '\x02';

// Chooses how the texts of one connection are tokenized. One thread uses it at a time.
class TokenizerSettings {
 public:
  // The language of the next documents; empty or unknown: words have no stems.
  void set_language(std::string_view language) { stemmer_ = &stemmers_.of(language); }
  // The languages whose stems a query looks for.
  void set_query_languages(const std::vector<std::string>& languages);

  Stemmer& stemmer() { return *stemmer_; }
  Stemmers& stemmers() { return stemmers_; }
  const std::vector<Stemmer*>& query_stemmers() const { return query_stemmers_; }

  // Words of documents since the last call, without stems.
  std::size_t take_words() { return std::exchange(words_, 0); }
  void add_word() { ++words_; }

 private:
  Stemmers stemmers_;
  Stemmer* stemmer_ = &stemmers_.of("");
  std::vector<Stemmer*> query_stemmers_;
  std::size_t words_ = 0;
};

// Returns the words of documents that a word of a query finds: itself, and its stems, which are
// found at words that are equal to them and at those with them as a marked stem. `word` is folded.
std::vector<std::string> forms_of(std::string_view word, const std::vector<Stemmer*>& stemmers);

// Makes the tokenizer `gossamer` known to FTS5. Fails with the error of SQLite. BORROWS: the
// settings, for as long as the database is open.
Result<void> register_tokenizer(store::Database& database, TokenizerSettings& settings);

}  // namespace gossamer::index
