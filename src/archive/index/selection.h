// The pages that a search selects, in SQL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "index/best_rank.h"
#include "index/match.h"
#include "index/partial_match.h"
#include "index/query.h"
#include "index/query_words.h"
#include "index/search_reader.h"
#include "store/sqlite.h"

namespace gossamer::index {

// What one search works with.
struct SearchWork {
  const Query& query;
  const SearchOptions& options;
  MatchText match;
  std::vector<BestPages::Term> terms;  // of the match
  PageFilter filter;
  QueryWords words;
  std::optional<PartialMatch> partial = {};  // pages may lack some of the words

  bool has_words() const { return !match.wanted.empty(); }
  // Whether pages are ordered by their words.
  bool is_ranked() const { return has_words() && options.sort == SearchSort::relevance; }
  // Whether the words alone select the pages. Then the index has the answer.
  bool is_plain() const { return has_words() && options.folds_duplicates && filter.empty(); }

  // How many of the best hits are ordered by their texts, too. Later pages of results do not change
  // these.
  std::size_t texts_ranked() const;

  // The words of the query that a page with these terms lacks.
  std::vector<std::string> missing(TermSet found) const;

  // "FROM ... WHERE ..." with its parameters. If the search is plain, there is no table `page`.
  std::string plain_selection() const { return is_plain() ? words_selection() : selection(); }
  // The same, always with the table `page`.
  std::string selection() const;
  // The same as the first, but with pages that have too few of the words. BestPages leaves them
  // out.
  std::string ranked_selection() const;
  // BORROWS: the values.
  void bind(store::Statement& statement) const;
  void bind_ranked(store::Statement& statement) const;

 private:
  std::string words_selection() const;
  std::string page_selection() const;
};

}  // namespace gossamer::index
