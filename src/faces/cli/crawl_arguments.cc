#include "cli/crawl_arguments.h"

#include <unistd.h>

#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "cli/foreign_options.h"
#include "options/setting_names.h"
#include "record/record_fields.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCrawlCommand = "crawl";

constexpr std::string_view kCrawlFooter =
    "A URL is fetched if it is http or https, in scope, not too deep, allowed by robots.txt,\n"
    "matched by no --exclude and, if there are any, by an --include. Roots need no --include.\n"
    "\n"
    "Exit codes: 0 success, 2 usage, 3 files, 4 network, 5 TLS, 6 password required, 7 protocol,\n"
    "8 a server answered with an error (if several apply, the lowest); 11 interrupted,\n"
    "13 interrupted twice, 14 --quota, 15 --max-time, 16 a host was unreachable, 17 --memory,\n"
    "18 the shared crawl of --cluster is lost.\n"
    "Manual: docs/crawl.md";

void list_fields() {
  for (const crawler::RecordField& field : crawler::record_fields()) {
    terminal::print_out("{:<16} {:<14} {}\n", field.name, crawler::describe(field.kind),
                        options::as_flags(field.meaning));
  }
}

}  // namespace

void declare_crawl(options::Table& table, CrawlArguments& arguments) {
  table.foreign(foreign_crawl_options());
  table.summary("Fetch every page that is reachable from the URLs, each once.");
  settings::declare_crawl_settings(table, arguments);
  table.footer(kCrawlFooter);
}

std::optional<int> complete_or_explain(const options::Table& table, CrawlArguments& arguments) {
  if (arguments.output.lists_fields) {
    list_fields();
    return kOk;
  }
  arguments.output.is_on_terminal = isatty(STDOUT_FILENO) != 0;
  if (auto done = settings::complete_crawl_arguments(table, arguments); !done) {
    return usage_error(arguments.output.command, done.error().detail());
  }
  return std::nullopt;
}

std::optional<int> read_crawl_arguments(const std::vector<std::string>& words,
                                        options::ConfigWorld world, CrawlArguments& arguments) {
  options::Table table(kCrawlCommand);
  declare_crawl(table, arguments);
  table.read_configuration(std::move(world));
  Command command = crawl_command;
  command.name = arguments.output.command;
  if (const auto exit_code = stopped(command, table.parse(words))) return *exit_code;
  return complete_or_explain(table, arguments);
}

}  // namespace gossamer::cli
