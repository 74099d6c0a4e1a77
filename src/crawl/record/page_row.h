#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/record.h"
#include "record/statistics.h"

namespace gossamer::store {

// Converts a record to a row of the table of pages. Instants of the loop's clock are not stored.
std::string pack_page(const crawler::FetchRecord& record);
// Fails with Errc::malformed.
Result<crawler::FetchRecord> unpack_page(std::string_view row);

// A skipped URL in the form of the table.
struct StoredSkip {
  std::string url;
  crawler::SkipReason reason = crawler::SkipReason::none;
  std::string via;
  std::uint32_t depth = 0;
  std::string detail;
};
// Appends a skipped URL to a row.
void pack_skip(std::string& row, const crawler::SkippedUrl& skipped);
Result<std::vector<StoredSkip>> unpack_skips(std::string_view row);

std::string pack_statistics(const crawler::Statistics& statistics);
Result<crawler::Statistics> unpack_statistics(std::string_view row);

}  // namespace gossamer::store
