#pragma once

#include "options/table.h"
#include "settings/archive_settings.h"

namespace gossamer::settings {

// Declares the options about archives. BORROWS: all, until they are parsed.
void declare_archive(options::Table& table, run::ArchiveSettings& archive);

// Declares `index` in the same group.
void declare_search_index(options::Table& table, bool& builds_index);

}  // namespace gossamer::settings
