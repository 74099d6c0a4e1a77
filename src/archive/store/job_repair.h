#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "url/crawl_identity.h"

namespace gossamer::store {

// The row of Table::meta with the text of job.toml.
inline constexpr std::string_view kConfigurationKey = "configuration";

struct RepairOptions {
  url::IdentityRules identity;     // of the crawl
  std::vector<std::string> roots;  // of the crawl
};

struct RepairSummary {
  std::vector<std::string> damage;  // what was found; empty: nothing
  bool has_settings = true;         // job.toml is there
  bool was_configuration_restored = false;
  std::uint64_t pages = 0;    // in the tables
  std::uint64_t rebuilt = 0;  // of these, from the archive
  // Something may be missing that the archive does not have: URLs that were queued or skipped,
  // pages without an answer. The next run of the crawl begins at its roots again and fetches what
  // is missing.
  bool is_incomplete = false;
};

// Repairs a crawl directory: reads what can be read of its tables, adds the pages that only the
// archive has, and seals it. Without damage nothing changes. The damaged files stay in
// `tables/lost` and `job.toml.damaged`. Fails as JobFolder::open() does, and with the error of the
// tables.
Result<RepairSummary> repair_job(const std::string& folder, const RepairOptions& options);

}  // namespace gossamer::store
