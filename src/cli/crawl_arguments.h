#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/archive_arguments.h"
#include "cli/crawl_fields.h"
#include "cli/job_arguments.h"
#include "cli/login_arguments.h"
#include "cli/record_format.h"
#include "cli/web_arguments.h"
#include "crawl/options.h"
#include "crawl/record_fields.h"
#include "report/collector.h"
#include "url/url.h"
#include "wire/cookie.h"

namespace gossamer::cli {

// Where a crawl's results go and what it says meanwhile.
struct CrawlOutputOptions {
  std::string_view command = "crawl";  // in what it says: "gossamer crawl: ..."
  CrawlFormat format = CrawlFormat::jsonl;
  crawl::FieldChoice fields;  // empty: as the format has it
  std::string results_file;   // empty or "-": standard output
  std::string skipped_file;   // empty: none
  std::vector<std::string> report_files;
  std::size_t report_bytes = report::Collector::kMemoryBytes;  // what a report may take of memory
  std::vector<url::Url> why;                                   // of which the user wants to know
  bool has_progress = true;
  bool has_report = true;
};

// What `gossamer crawl` was asked for, checked.
struct CrawlArguments : public WebArguments {
  crawl::Options crawl;
  CrawlOutputOptions output;
  ArchiveArguments archive;
  JobArguments job;
  std::string cookies_to_load;                 // read and left as it is
  std::string cookie_jar;                      // read and written back
  IdentityWords identity;                      // as it was given; settle_crawl() makes it hold
  std::vector<wire::Cookie> session;           // of logins, when these have been made
  std::string log_file;                        // empty: stderr
  std::string control_socket;                  // where it can be steered; empty: nowhere
  std::uint32_t threads = 1;                   // loops
  std::shared_ptr<const CrawlFields> secrets;  // fields that only some may be told; none: nullptr
  std::uint64_t verbosity = 0;
  bool is_quiet = false;
};

// The exit code instead, if there is nothing more to do.
std::optional<int> read_crawl_arguments(const std::vector<std::string>& words, ConfigWorld world,
                                        CrawlArguments& arguments);

// The hooks of one loop of the crawl.
crawl::Hooks make_hooks(const std::shared_ptr<const CrawlFields>& secrets);

// What is the same for every crawl: the pool is as large as the crawl is wide, the roots may be
// local, secrets stay with the roots. Fails with Errc::invalid_argument.
Result<void> settle_crawl(CrawlArguments& arguments);

}  // namespace gossamer::cli
