#include "index/fts5.h"

namespace gossamer::index {

Result<fts5_api*> find_fts5(store::Database& database) {
  sqlite3_stmt* statement = nullptr;
  fts5_api* api = nullptr;
  if (sqlite3_prepare_v2(database.get(), "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  if (api == nullptr) return fail(Errc::unsupported, "this SQLite has no FTS5");
  return api;
}

}  // namespace gossamer::index
