#include "index/selection.h"

#include <set>
#include <string_view>

namespace gossamer::index {
namespace {

constexpr std::string_view kWordsSql = "FROM fts WHERE fts MATCH ?";
constexpr std::string_view kEnoughSql = " AND enough_terms(fts, ?)";

}  // namespace

std::size_t SearchWork::texts_ranked() const {
  // BOUND: texts are read and searched for each of these.
  constexpr std::size_t kMost = 10;
  return is_ranked() && options.offset < kMost && options.limit > 0 ? kMost : 0;
}

std::vector<std::string> SearchWork::missing(TermSet found) const {
  std::vector<std::string> missing;
  if (!partial) return missing;
  std::set<std::size_t> places = partial->unknown;
  for (std::size_t at = 0; at < partial->places.size(); ++at) {
    if ((found >> at & 1) == 0) places.insert(partial->places[at]);
  }
  for (const std::size_t place : places) missing.push_back(query.terms[place].text);
  return missing;
}

std::string SearchWork::selection() const {
  return page_selection() + (partial ? std::string(kEnoughSql) : std::string()) + filter.sql();
}

std::string SearchWork::words_selection() const {
  return std::string(kWordsSql) + (partial ? std::string(kEnoughSql) : std::string());
}

std::string SearchWork::ranked_selection() const {
  return is_plain() ? std::string(kWordsSql) : page_selection() + filter.sql();
}

std::string SearchWork::page_selection() const {
  // CROSS JOIN keeps the order of the tables: the words come first.
  const bool folds = options.folds_duplicates;
  if (has_words()) {
    const std::string_view join =
        folds ? "FROM fts CROSS JOIN page ON page.id = fts.rowid"
              : "FROM fts CROSS JOIN page ON (page.id = fts.rowid OR page.same_as = fts.rowid)";
    return std::string(join) + " WHERE fts MATCH ?";
  }
  std::string sql = "FROM page WHERE 1";
  if (folds) sql += " AND page.same_as IS NULL";
  if (!match.excluded.empty()) {
    sql += " AND coalesce(page.same_as, page.id) NOT IN (SELECT rowid FROM fts WHERE fts MATCH ?)";
  }
  return sql;
}

void SearchWork::bind(store::Statement& statement) const {
  if (!match.wanted.empty()) {
    statement.text(match.wanted);
    if (partial) bind_enough(statement, partial->enough);
  } else if (!match.excluded.empty()) {
    statement.text(match.excluded);
  }
  filter.bind(statement);
}

void SearchWork::bind_ranked(store::Statement& statement) const {
  statement.text(match.wanted);
  filter.bind(statement);
}

}  // namespace gossamer::index
