// Queries in the languages of FTS5 and SQL. All texts of the user are folded words or bound values.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "index/query.h"
#include "index/search_reader.h"
#include "index/stemmer.h"
#include "store/sqlite.h"

namespace gossamer::index {

// The words of one term as an expression for FTS5.
struct MatchTerm {
  std::string text;  // empty: it has none
  // Phrases of FTS5: one for each form of the word.
  std::size_t phrases = 0;
};
// The forms of a single word are alternatives, which FTS5 finds several times as fast as the
// synonyms of a tokenizer: it need not merge their places for each page. `stemmers` are those of
// the tokenizer (TokenizerSettings::query_stemmers()).
MatchTerm match_term(const QueryTerm& term, const std::vector<Stemmer*>& stemmers);

struct MatchText {
  std::string wanted;    // empty: no words
  std::string excluded;  // empty: none
  // The wanted terms, in their order.
  struct Term {
    std::size_t place = 0;  // in the query
    std::size_t phrases = 0;
  };
  std::vector<Term> terms;
  // What MATCH gets: both in one expression. REQUIRES: `wanted` is not empty.
  std::string whole() const;
};
// Terms whose place is in `ignored` are left out.
MatchText match_text(const Query& query, const std::vector<Stemmer*>& stemmers,
                     const std::set<std::size_t>& ignored = {});

// The captures that the dates of a query include, as times of the index.
struct TimeRange {
  explicit TimeRange(const Query& query);
  bool has(WallTime time) const noexcept;

  std::int64_t first;
  std::int64_t end;
};

// Returns an expression for the time of a result: of the newest capture with this text that the
// dates of the query include. Without `sees_twins`, each capture has its own.
std::string time_sql(const Query& query, bool sees_twins);
// Returns what follows ORDER BY. Without words, relevance means newest.
std::string order_sql(const Query& query, const SearchOptions& options);

// Conditions on the table `page`, with the values of their parameters.
class PageFilter {
 public:
  // With `sees_twins`, a capture with the same text in the range of dates counts, too.
  PageFilter(const Query& query, bool sees_twins);

  // " AND ..." for each condition.
  const std::string& sql() const { return sql_; }
  bool empty() const { return sql_.empty(); }
  // BORROWS: the values.
  void bind(store::Statement& statement) const;

 private:
  using Value = std::variant<std::int64_t, std::string>;

  void add_choice(const QueryChoice& choice, void (PageFilter::*add)(const std::string&));
  void add_site(const std::string& site);
  void add_type(const std::string& type);
  void add_language(const std::string& language);
  void add_dates(const Query& query, bool sees_twins);
  void add_date_range(const Query& query, std::string_view table);
  void add(std::string_view sql, std::initializer_list<Value> values);

  std::string sql_;
  std::vector<Value> values_;
};

}  // namespace gossamer::index
