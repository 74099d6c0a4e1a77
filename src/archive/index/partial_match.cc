#include "index/partial_match.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "index/match.h"
#include "index/term_counts.h"

namespace gossamer::index {
namespace {

// Sums in another order differ by less.
constexpr double kRaritySlack = 1e-9;

struct PlacedTerm {
  std::size_t place = 0;
  MatchTerm match;
  double rarity = 0;
};

// Writes the expression and the numbers of the phrases in it.
class PartialWriter {
 public:
  void add_strict(const std::vector<PlacedTerm>& terms) {
    for (const PlacedTerm& term : terms) {
      add(term);
      match_.wanted += term.match.text + " AND ";
    }
  }
  // A page needs one of the first terms, and one of the others unless the first ones are enough.
  // Even then, the others must be in the expression: FTS5 knows only the places of words that it
  // looks for.
  void add_plain(const std::vector<PlacedTerm>& needed, const std::vector<PlacedTerm>& others,
                 bool are_enough) {
    const std::string any = any_of(needed);
    for (const PlacedTerm& term : needed) add(term);
    if (others.empty()) {
      match_.wanted += any;
      return;
    }
    if (!are_enough) {
      for (const PlacedTerm& term : others) add(term);
      match_.wanted.append(any).append(" AND ").append(any_of(others));
      return;
    }
    for (const PlacedTerm& term : needed) skipped_ += term.match.phrases;
    for (const PlacedTerm& term : others) add(term);
    match_.wanted.append("(").append(any).append(" OR (").append(any).append(" AND ");
    match_.wanted.append(any_of(others)).append("))");
  }
  PartialMatch take() { return std::move(match_); }

 private:
  static std::string any_of(const std::vector<PlacedTerm>& terms) {
    std::string text;
    for (const PlacedTerm& term : terms) {
      text += text.empty() ? "(" : " OR ";
      text += term.match.text;
    }
    return text + ")";
  }
  void add(const PlacedTerm& term) {
    match_.enough.terms.push_back({term.match.phrases, term.rarity, std::exchange(skipped_, 0)});
    match_.places.push_back(term.place);
  }

  PartialMatch match_;
  std::size_t skipped_ = 0;
};

double rarity_sum(const std::vector<PlacedTerm>& terms) {
  double sum = 0;
  for (const PlacedTerm& term : terms) sum += term.rarity;
  return sum;
}

}  // namespace

std::optional<PartialMatch> partial_match(const Query& query, const std::vector<Stemmer*>& stemmers,
                                          const std::set<std::size_t>& ignored,
                                          const std::vector<double>& pages_with, double pages,
                                          double share) {
  std::vector<PlacedTerm> strict;
  std::vector<PlacedTerm> plain;
  std::set<std::size_t> unknown;
  for (std::size_t at = 0; at < query.terms.size(); ++at) {
    const QueryTerm& term = query.terms[at];
    if (term.is_excluded || ignored.contains(at)) continue;
    PlacedTerm placed = {at, match_term(term, stemmers), rarity_of(pages_with[at], pages)};
    if (placed.match.text.empty()) continue;
    if (is_plain_word(term) && pages_with[at] == 0) {
      unknown.insert(at);
    } else {
      (is_plain_word(term) ? plain : strict).push_back(std::move(placed));
    }
  }
  if (plain.empty() || plain.size() + unknown.size() < 2 || plain.size() < unknown.size())
    return {};
  std::ranges::sort(plain, {},
                    [](const PlacedTerm& term) { return std::pair(-term.rarity, term.place); });
  const double least = share * rarity_sum(plain) - kRaritySlack;
  // The most frequent terms together are not enough, so a page needs one of the others.
  std::vector<PlacedTerm> others;
  double rest = 0;
  while (plain.size() > 1 && rest + plain.back().rarity < least) {
    rest += plain.back().rarity;
    others.push_back(std::move(plain.back()));
    plain.pop_back();
  }
  PartialWriter writer;
  writer.add_strict(strict);
  writer.add_plain(plain, others, rarity_sum(plain) >= least);
  PartialMatch match = writer.take();
  match.enough.rarity_min = rarity_sum(strict) + least;
  match.unknown = std::move(unknown);
  return match;
}

}  // namespace gossamer::index
