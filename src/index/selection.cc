#include "index/selection.h"

#include <set>

namespace gossamer::index {

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

std::string SearchWork::plain_selection() const {
  if (!is_plain()) return selection();
  return partial ? "FROM fts WHERE fts MATCH ? AND enough_terms(fts, ?)"
                 : "FROM fts WHERE fts MATCH ?";
}

std::string SearchWork::selection() const {
  // CROSS JOIN keeps the order of the tables: the words come first.
  std::string sql;
  const bool folds = options.folds_duplicates;
  if (has_words()) {
    sql = folds ? "FROM fts CROSS JOIN page ON page.id = fts.rowid"
                : "FROM fts CROSS JOIN page ON (page.id = fts.rowid OR page.same_as = fts.rowid)";
    sql += partial ? " WHERE fts MATCH ? AND enough_terms(fts, ?)" : " WHERE fts MATCH ?";
  } else {
    sql = "FROM page WHERE 1";
    if (folds) sql += " AND page.same_as IS NULL";
    if (!match.excluded.empty()) {
      sql +=
          " AND coalesce(page.same_as, page.id) NOT IN (SELECT rowid FROM fts WHERE fts MATCH ?)";
    }
  }
  return sql + filter.sql();
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

}  // namespace gossamer::index
