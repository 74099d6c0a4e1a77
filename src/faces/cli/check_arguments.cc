#include "cli/check_arguments.h"

#include "cli/command.h"
#include "cli/foreign_options.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCheckCommand = "check";

constexpr std::string_view kCheckFooter =
    "For a URL, check reads all pages of its site and checks their links, including those to\n"
    "other sites, with HEAD and if necessary GET. For a file (Markdown, reStructuredText, HTML,\n"
    "a sitemap, a list of URLs, any text), it checks the links in it and follows none. For a\n"
    "folder, it checks the Markdown, reStructuredText and HTML files in it.\n"
    "\n"
    "Exit codes: 0 at most --max-broken links are broken, 1 the check failed or is incomplete,\n"
    "2 broken links, 3 a configuration file is wrong or the result could not be printed.\n"
    "Manual: docs/check.md";

}  // namespace

int check_failed(std::string_view message) {
  static_cast<void>(usage_error(kCheckCommand, message));
  return kNotRun;
}

void declare_check(options::Table& table, CheckArguments& arguments) {
  table.summary("Find broken links, on sites and in files.");
  settings::declare_check_settings(table, arguments);
  table.foreign(foreign_check_options());
  table.footer(kCheckFooter);
}

}  // namespace gossamer::cli
