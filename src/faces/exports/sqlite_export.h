#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "record/record_fields.h"
#include "store/stored_crawl.h"

namespace gossamer::exports {

struct SqliteSummary {
  std::uint64_t unread = 0;  // pages that are missing in the archive
  std::string first_unread;  // the first of these, and why
  // The same for pages without the links or headers that the fields have.
  std::uint64_t missing = 0;
  std::string first_missing;
  bool lacks_archive = false;  // there are pages, but no archive with their links
};

// Writes the contents of a crawl directory to a new SQLite database:
//
//   pages  a row for each, the fields as columns ("timings.total" is timings_total)
//   links  a row for each link of each page in the archive, as often as it occurs: from_url,
//          to_url, fragment, kind, element ("a.href"), rel, text, is_page (to_url is one of pages)
//   items  url of the page, number of the item on it, and its fields (a JSON object)
//   skips  url, reason, detail, depth, via
//   hosts  name (with the port, if it is not the usual one), pages, failed, bytes
//
// The database appears complete or not at all: it is written under another name first. The next
// process removes a draft that an earlier one left. Fails with Errc::exists if the file exists and
// is not empty, as SQLite does (store/sqlite.h), and as reading the tables does. A page
// that cannot be read from the archive has no links in the database, and is counted.
// No fields: all that the directory has. REQUIRES: if there are fields, "url" is one of them.
Result<SqliteSummary> export_sqlite(const store::StoredCrawl& kept, const std::string& path,
                                    crawler::FieldChoice fields = {});

}  // namespace gossamer::exports
