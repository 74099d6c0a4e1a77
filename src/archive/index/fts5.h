// The interface of FTS5 for extensions.
#pragma once

#include <sqlite3.h>

#include "base/result.h"
#include "store/sqlite.h"

namespace gossamer::index {

// Fails if this SQLite has no FTS5.
Result<fts5_api*> find_fts5(store::Database& database);

}  // namespace gossamer::index
