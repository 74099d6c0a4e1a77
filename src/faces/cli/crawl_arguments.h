#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/table.h"
#include "settings/crawl_arguments.h"

namespace gossamer::cli {

using settings::CrawlArguments;
using settings::CrawlOutputOptions;

// The table of `gossamer crawl`. BORROWS: the arguments, until they are parsed.
void declare_crawl(options::Table& table, CrawlArguments& arguments);
// Completes the settings of the crawl and prints a failure. Returns an exit code if the command is
// done. REQUIRES: the table was parsed.
std::optional<int> complete_or_explain(const options::Table& table, CrawlArguments& arguments);
// Does all of this for another command that crawls, with the given configuration. Messages name the
// command of `arguments.output`.
std::optional<int> read_crawl_arguments(const std::vector<std::string>& words,
                                        options::ConfigWorld world, CrawlArguments& arguments);
// Runs the crawl. Returns the exit code.
int run_crawl(CrawlArguments arguments);

}  // namespace gossamer::cli
