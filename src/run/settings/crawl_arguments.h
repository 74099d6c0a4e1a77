#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "options/table.h"
#include "record/record_fields.h"
#include "record/record_format.h"
#include "report/findings_options.h"
#include "settings/crawl_settings.h"

namespace gossamer::settings {

// Where the results of a crawl go, and what it prints.
struct CrawlOutputOptions {
  std::string_view command = "crawl";  // for messages: "gossamer crawl: ..."
  crawler::CrawlFormat format = crawler::CrawlFormat::jsonl;
  crawler::FieldChoice fields;       // empty: those of the format
  std::string results_file;          // empty or "-": standard output
  std::string skipped_file;          // empty: none
  report::FindingsOptions findings;  // reports and reasons
  bool has_progress = true;
  bool lists_fields = false;  // instead of crawling
  bool has_report = true;
  bool is_on_terminal = false;  // standard output
};

enum class LogFormat : std::uint8_t { text, json };

// The options of `gossamer crawl`.
struct CrawlArguments {
  run::CrawlSettings crawl;
  CrawlOutputOptions output;
  std::vector<std::string> input_files;    // further roots
  std::vector<std::string> extract_files;  // further rules for fields
  std::string redis_password_file;         // empty: the environment
  std::string log_file;                    // empty: stderr
  LogFormat log_format = LogFormat::text;
  std::uint64_t verbosity = 0;
  bool is_quiet = false;
};

// BORROWS: the arguments, until they are parsed.
void declare_crawl_settings(options::Table& table, CrawlArguments& arguments);
// The settings of a crawl as the command declares them.
const options::CommandTable& crawl_table();
// Combines the options and completes the settings of the crawl. Fails with Errc::invalid_argument.
// REQUIRES: the table was parsed.
Result<void> complete_crawl_arguments(const options::Table& table, CrawlArguments& arguments);
}  // namespace gossamer::settings
