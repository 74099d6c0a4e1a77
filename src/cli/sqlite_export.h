#pragma once

#include <string>

#include "base/result.h"
#include "cli/kept_crawl.h"

namespace gossamer::cli {

// Writes what a crawl directory knows into a new SQLite database:
//
//   pages  a row for each, the fields of a record as columns ("timings.total" is timings_total)
//   skips  url, reason, detail, depth, via
//   hosts  name, pages, failed, bytes
//
// In one transaction: all of it or nothing. Fails with Errc::exists if the file is there and has
// something in it, with Errc::io_failed and what SQLite says, and as reading the tables does.
Result<void> export_sqlite(const KeptCrawl& kept, const std::string& path);

}  // namespace gossamer::cli
