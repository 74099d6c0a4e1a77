#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/tables.h"

namespace gossamer::store {

// Makes damaged tables usable: finds their files again, and moves those that are damaged to `lost`
// in their folder. Rows that were removed may come back. Fails with the error of the tables.
Result<void> repair_tables(const std::string& folder);

// Puts the rows that can be read of the files in `lost` into the tables, unless they have the key.
// Returns whether there was such a file. Fails as Tables::write() does.
Result<bool> recover_lost_rows(const std::string& folder, Tables& tables);

}  // namespace gossamer::store
