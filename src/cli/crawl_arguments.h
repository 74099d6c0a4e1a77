#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/login_arguments.h"
#include "cli/web_arguments.h"
#include "crawl/page/record_fields.h"
#include "crawl/page/record_format.h"
#include "report/collector.h"
#include "run/crawl_settings.h"
#include "url/url.h"

namespace gossamer::cli {

// Where a crawl's results go and what it says meanwhile.
struct CrawlOutputOptions {
  std::string_view command = "crawl";  // in what it says: "gossamer crawl: ..."
  crawler::CrawlFormat format = crawler::CrawlFormat::jsonl;
  crawler::FieldChoice fields;  // empty: as the format has it
  std::string results_file;     // empty or "-": standard output
  std::string skipped_file;     // empty: none
  std::vector<std::string> report_files;
  std::size_t report_bytes = report::Collector::kMemoryBytes;  // what a report may take of memory
  std::vector<url::Url> why;                                   // of which the user wants to know
  bool has_progress = true;
  bool has_report = true;
};

// What `gossamer crawl` was asked for, checked.
struct CrawlArguments : public WebArguments {
  run::CrawlSettings crawl;
  CrawlOutputOptions output;
  IdentityWords identity;      // as it was given; settle_crawl() makes it hold
  std::vector<SaidLine> said;  // all that was given, as a crawl directory keeps it
  std::string log_file;        // empty: stderr
  std::uint64_t verbosity = 0;
  bool is_quiet = false;
};

// The exit code instead, if there is nothing more to do.
std::optional<int> read_crawl_arguments(const std::vector<std::string>& words, ConfigWorld world,
                                        CrawlArguments& arguments);

// What the words come to together: who we are, and through which proxies. The network's part of the
// arguments is in CrawlArguments::crawl then. Fails with Errc::invalid_argument.
Result<void> settle_crawl(CrawlArguments& arguments);

}  // namespace gossamer::cli
