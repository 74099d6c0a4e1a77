#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crawl/page/record_fields.h"
#include "crawl/page/record_format.h"
#include "exports/crawl_findings.h"
#include "options/table.h"
#include "run/crawl_settings.h"

namespace gossamer::cli {

// Where a crawl's results go and what it says meanwhile.
struct CrawlOutputOptions {
  std::string_view command = "crawl";  // in what it says: "gossamer crawl: ..."
  crawler::CrawlFormat format = crawler::CrawlFormat::jsonl;
  crawler::FieldChoice fields;        // empty: as the format has it
  std::string results_file;           // empty or "-": standard output
  std::string skipped_file;           // empty: none
  exports::FindingsOptions findings;  // reports and reasons
  bool has_progress = true;
  bool lists_fields = false;  // instead of crawling
  bool has_report = true;
};

// What `gossamer crawl` is to do.
struct CrawlArguments {
  run::CrawlSettings crawl;
  CrawlOutputOptions output;
  std::vector<std::string> input_files;  // further roots
  std::string log_file;                  // empty: stderr
  std::uint64_t verbosity = 0;
  bool is_quiet = false;
};

// BORROWS: the arguments, until they are parsed.
void declare_crawl(options::Table& table, CrawlArguments& arguments);
// What the options come to together. The exit code instead, if there is nothing more to do.
// REQUIRES: the table was parsed.
std::optional<int> settle_crawl_arguments(const options::Table& table, CrawlArguments& arguments);
// All of it for another command that crawls, with a configuration from elsewhere.
std::optional<int> read_crawl_arguments(const std::vector<std::string>& words,
                                        options::ConfigWorld world, CrawlArguments& arguments);
// Crawls as they say. Gives the exit code.
int run_crawl(CrawlArguments arguments);

}  // namespace gossamer::cli
