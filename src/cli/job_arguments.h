#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/arguments.h"
#include "store/ledger.h"

namespace gossamer::cli {

struct CrawlArguments;

// Whether and how a crawl is kept in a folder.
struct JobArguments {
  std::string folder;  // empty: it is not
  store::Durability durability = store::Durability::group;
  std::uint64_t memory_bytes = 512 * 1024 * 1024;
  std::uint64_t disk_reserve = 64 * 1024 * 1024;
  bool has_archive = true;
  bool changes_settings = false;
  // Asks again for what is there and older than this.
  bool refreshes = false;
  Duration older_than = Duration::zero();
  // All that was asked for, as it is to be kept.
  std::vector<SaidLine> said;
};

void declare_job(Arguments& declared, JobArguments& arguments);

// Has the crawl keep what the folder needs. Fails with Errc::invalid_argument.
Result<void> settle_job(CrawlArguments& arguments);

// The file that says what a crawl directory is about, and can be read as a configuration.
std::string job_text(const JobArguments& arguments, const std::vector<std::string>& roots);

// What the two files say differently about what is to be crawled, a line each; empty: nothing. What
// is shown to the user, and how long to go on, may change from run to run.
std::vector<std::string> differences(const std::string& kept, const std::string& asked);

}  // namespace gossamer::cli
