// The words of a query, for comparing them with the words of texts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "index/query.h"
#include "index/stemmer.h"

namespace gossamer::index {

// BOUND: further words of a query select pages, but are not highlighted.
inline constexpr std::size_t kQueryWordsMax = 64;

struct QueryWord {
  std::string text;  // folded
  bool is_exact = false;
  bool is_prefix = false;
  bool is_ideographic = false;
};

// The words of one term, side by side in the list of words.
struct WordRun {
  std::size_t begin = 0;
  std::size_t size = 0;
  Field field = Field::anywhere;
  bool is_phrase = false;  // only the whole run matches
};

// Which words of the query match a word of a text: bit N is word N.
using WordSet = std::uint64_t;

class QueryWords {
 public:
  // Excluded terms are left out. BORROWS: the stemmers.
  QueryWords(const Query& query, Stemmers& stemmers);

  const std::vector<QueryWord>& words() const { return words_; }
  const std::vector<WordRun>& runs() const { return runs_; }

  // Compares the words of texts in one language.
  class Matcher {
   public:
    WordSet match(std::string_view word, bool is_ideographic);

   private:
    friend class QueryWords;
    const QueryWords* words_ = nullptr;
    Stemmer* stemmer_ = nullptr;
    std::vector<std::string> stems_;
  };
  // BORROWS: this object.
  Matcher matcher(std::string_view language) const;

 private:
  std::vector<QueryWord> words_;
  std::vector<WordRun> runs_;
  Stemmers& stemmers_;
};

// Returns the words of a term, folded. A single character of a script without spaces is a prefix.
std::vector<QueryWord> words_of(const QueryTerm& term);

}  // namespace gossamer::index
