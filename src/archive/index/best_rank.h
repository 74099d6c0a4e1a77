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

// Terms of a query that a page has: bit N is term N. BOUND: kQueryTermsMax.
using TermSet = std::uint32_t;
TermSet all_terms(std::size_t count) noexcept;

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
    std::size_t skipped = 0;  // phrases before these that belong to no term
  };
  struct Page {
    std::int64_t id = 0;
    double score = 0;
    TermSet found = 0;

    friend bool operator==(const Page&, const Page&) = default;
  };

  // The terms have the phrases of the query in this order. BORROWS: the lengths.
  BestPages(std::vector<Term> terms, const PageLengths& lengths, std::size_t count,
            bool are_complete_first = true, double rarity_min = 0);

  // Adds a page. `text` is the page with its text, which may be another one. `frequencies` has a
  // number for each term: how often the text has it. Returns false if the terms of the page are not
  // enough (EnoughTerms).
  bool add(std::int64_t id, std::int64_t text, const std::vector<double>& frequencies);
  // Returns the best pages, best first, and of equal ones the first. With `are_complete_first`,
  // pages with all terms precede the others.
  std::vector<Page> take();

  const std::vector<Term>& terms() const { return terms_; }

 private:
  const std::vector<Term> terms_;
  const PageLengths& lengths_;
  const std::size_t count_;
  const TermSet required_;  // pages without these are worse
  const double rarity_min_;
  const double words_per_page_;
  std::vector<Page> best_;  // a heap, the worst first. BOUND: count_
};

// Selects the pages that have enough of the terms.
struct EnoughTerms {
  std::vector<BestPages::Term> terms;
  double rarity_min = 0;  // of the terms of a page together
};

// Adds the function best_rank(fts, best, id) to FTS5, which adds the present page with this id.
// It returns what BestPages::add() does. Bind `best` with bind_best().
// Adds also enough_terms(fts, terms): the TermSet of the present page, or 0 if that is not enough.
Result<void> register_best_rank(store::Database& database);
// BORROWS: `best`, until the statement is reset.
void bind_best(store::Statement& statement, BestPages& best);
void bind_enough(store::Statement& statement, const EnoughTerms& enough);

}  // namespace gossamer::index
