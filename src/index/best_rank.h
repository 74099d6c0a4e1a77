// The best pages of a query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.h"
#include "index/page_lengths.h"
#include "store/sqlite.h"

namespace gossamer::index {

// Of a word in so many of the pages, as bm25() computes it.
double rarity_of(double pages_with, double pages);

// Keeps the best pages while SQLite visits all pages that match. A score is BM25 as bm25() of FTS5
// computes it, with our weights for columns, but positive.
//
// Nothing is kept for other pages: FTS5 with bm25() reads the length of every page from a row of
// its own, and sorts all of them.
class BestPages {
 public:
  struct Term {
    std::size_t phrases = 1;  // of FTS5: the forms of a word
    double rarity = 1;        // rarity_of(); any value if there is one term
  };
  struct Page {
    std::int64_t id = 0;
    double score = 0;

    friend bool operator==(const Page&, const Page&) = default;
  };

  // The terms have the first phrases of the query. BORROWS: the lengths.
  BestPages(std::vector<Term> terms, const PageLengths& lengths, std::size_t count);

  // Adds a page. `text` is the page with its text, which may be another one. `frequencies` has a
  // number for each term: how often the text has it.
  void add(std::int64_t id, std::int64_t text, const std::vector<double>& frequencies);
  // Returns the best pages, best first, and of equal ones the first.
  std::vector<Page> take();

  const std::vector<Term>& terms() const { return terms_; }

 private:
  const std::vector<Term> terms_;
  const PageLengths& lengths_;
  const std::size_t count_;
  const double words_per_page_;
  std::vector<Page> best_;  // a heap, the worst first. BOUND: count_
};

// Adds the function best_rank(fts, best, id) to FTS5, which adds the present page with this id.
// It returns NULL. Bind `best` with bind_best().
Result<void> register_best_rank(store::Database& database);
// BORROWS: `best`, until the statement is reset.
void bind_best(store::Statement& statement, BestPages& best);

}  // namespace gossamer::index
