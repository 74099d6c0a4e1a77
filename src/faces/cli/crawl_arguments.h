#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exports/crawl_findings.h"
#include "options/table.h"
#include "record/record_fields.h"
#include "record/record_format.h"
#include "run/crawl_settings.h"

namespace gossamer::cli {

// Where the results of a crawl go, and what it prints.
struct CrawlOutputOptions {
  std::string_view command = "crawl";  // for messages: "gossamer crawl: ..."
  crawler::CrawlFormat format = crawler::CrawlFormat::jsonl;
  crawler::FieldChoice fields;        // empty: those of the format
  std::string results_file;           // empty or "-": standard output
  std::string skipped_file;           // empty: none
  exports::FindingsOptions findings;  // reports and reasons
  bool has_progress = true;
  bool lists_fields = false;  // instead of crawling
  bool has_report = true;
};

// The options of `gossamer crawl`.
struct CrawlArguments {
  run::CrawlSettings crawl;
  CrawlOutputOptions output;
  std::vector<std::string> input_files;    // further roots
  std::vector<std::string> extract_files;  // further rules for fields
  std::string redis_password_file;         // empty: the environment
  std::string log_file;                    // empty: stderr
  std::uint64_t verbosity = 0;
  bool is_quiet = false;
};

// BORROWS: the arguments, until they are parsed.
void declare_crawl(options::Table& table, CrawlArguments& arguments);
// Combines the options and completes the settings of the crawl. Fails with Errc::invalid_argument.
// REQUIRES: the table was parsed.
Result<void> complete_crawl_arguments(const options::Table& table, CrawlArguments& arguments);
// The same, and prints a failure. Returns an exit code if the command is done. REQUIRES: the table
// was parsed.
std::optional<int> settle_crawl_arguments(const options::Table& table, CrawlArguments& arguments);
// Does all of this for another command that crawls, with the given configuration. Messages name the
// command of `arguments.output`.
std::optional<int> read_crawl_arguments(const std::vector<std::string>& words,
                                        options::ConfigWorld world, CrawlArguments& arguments);
// Runs the crawl. Returns the exit code.
int run_crawl(CrawlArguments arguments);

}  // namespace gossamer::cli
