// Checksums of the pages of a search index. SQLite has none: a flipped bit in a text or in a list
// of words would only change what a search finds.
#pragma once

#include <string>

#include "base/result.h"
#include "store/sqlite.h"

namespace gossamer::index {

// Opens the file of an index. Every page that is read is compared with the checksum in its last
// eight bytes, and every page that is written gets one, if the file was begun so
// (begin_checksums()). A page that does not match fails with Errc::malformed, like other damage.
// The file is not opened if it is a link. Fails with the error of SQLite.
Result<store::Database> open_checked(const std::string& path, store::Database::Access access);

// Makes pages have checksums. REQUIRES: the database is empty.
void begin_checksums(store::Database& database);

// Whether the file has checksums. Indexes of format 4 have none.
bool has_checksums(const store::Database& database);

}  // namespace gossamer::index
