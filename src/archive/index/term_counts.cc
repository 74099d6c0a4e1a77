#include "index/term_counts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "index/match.h"

namespace gossamer::index {
namespace {

// A word in a larger share of the pages selects nothing. In a small index it costs nothing.
constexpr double kIgnoredShare = 0.5;
constexpr std::uint64_t kIgnoringPagesMin = 1000;
// BOUND: languages whose stems a query looks for.
constexpr std::string_view kLanguagesSql =
    "SELECT code FROM language WHERE code <> '' ORDER BY pages DESC LIMIT 8";

}  // namespace

bool is_plain_word(const QueryTerm& term) {
  return !term.is_excluded && term.kind == QueryTerm::Kind::word && term.field == Field::anywhere;
}

Result<void> choose_languages(const Query& query, IndexDatabase& index) {
  std::vector<std::string> languages = query.languages.wanted;
  if (languages.empty()) {
    auto statement = index.database().prepare(kLanguagesSql);
    if (!statement) return fail(std::move(statement).error());
    while (true) {
      auto row = statement->step();
      if (!row) return fail(std::move(row).error());
      if (!*row) break;
      languages.emplace_back(statement->text_at(0));
    }
  }
  index.tokenizer().set_query_languages(languages);
  return {};
}

Result<std::vector<double>> pages_with_terms(const Query& query, IndexDatabase& index) {
  std::vector<double> pages(query.terms.size());
  if (std::ranges::count(query.terms, false, &QueryTerm::is_excluded) < 2) return pages;
  // A limit would cost more than it saves: without one, FTS5 only reads the list of pages.
  auto count = index.database().prepare("SELECT count(*) FROM fts WHERE fts MATCH ?");
  if (!count) return fail(std::move(count).error());
  for (std::size_t at = 0; at < query.terms.size(); ++at) {
    if (query.terms[at].is_excluded) continue;
    const MatchTerm match = match_term(query.terms[at], index.tokenizer().query_stemmers());
    if (match.text.empty()) continue;
    count->text(match.text);
    auto row = count->step();
    if (!row) return fail(std::move(row).error());
    pages[at] = static_cast<double>(count->number_at(0));
    count->reset();
  }
  return pages;
}

std::set<std::size_t> ignored_terms(const Query& query, const std::vector<double>& pages_with,
                                    std::uint64_t pages) {
  std::set<std::size_t> ignored;
  if (pages < kIgnoringPagesMin) return ignored;
  const double most = kIgnoredShare * static_cast<double>(pages);
  std::size_t wanted = 0;
  for (std::size_t at = 0; at < query.terms.size(); ++at) {
    const QueryTerm& term = query.terms[at];
    wanted += term.is_excluded ? 0 : 1;
    if (is_plain_word(term) && pages_with[at] > most) ignored.insert(at);
  }
  if (ignored.size() == wanted) ignored.clear();
  return ignored;
}

}  // namespace gossamer::index
