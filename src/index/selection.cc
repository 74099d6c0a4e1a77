#include "index/selection.h"

namespace gossamer::index {

std::string SearchWork::plain_selection() const {
  return is_plain() ? "FROM fts WHERE fts MATCH ?" : selection();
}

std::string SearchWork::selection() const {
  // CROSS JOIN keeps the order of the tables: the words come first.
  std::string sql;
  const bool folds = options.folds_duplicates;
  if (has_words()) {
    sql = folds ? "FROM fts CROSS JOIN page ON page.id = fts.rowid"
                : "FROM fts CROSS JOIN page ON (page.id = fts.rowid OR page.same_as = fts.rowid)";
    sql += " WHERE fts MATCH ?";
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
  } else if (!match.excluded.empty()) {
    statement.text(match.excluded);
  }
  filter.bind(statement);
}

}  // namespace gossamer::index
