#include "cli/check_arguments.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "check/checked_files.h"
#include "cli/command.h"
#include "cli/login_arguments.h"
#include "cli/visit_arguments.h"

namespace gossamer::cli {
namespace {

// As it is told: what stands in front of the host is nobody's business.
std::string without_password(const std::string& source) {
  const std::size_t scheme = source.find("://");
  if (scheme == std::string::npos) return source;
  const std::size_t begin = scheme + 3;
  const std::size_t end = std::min(source.find_first_of("/?#", begin), source.size());
  const std::size_t at = source.rfind('@', end);
  if (at == std::string::npos || at < begin || at >= end) return source;
  return source.substr(0, begin) + source.substr(at + 1);
}

namespace fs = std::filesystem;

constexpr std::string_view kCheckCommand = "check";

constexpr std::string_view kCheckFooter =
    "A URL is looked through with all pages of its site; their links are checked, those to other\n"
    "sites too, with HEAD and if need be GET. Of files (Markdown, reStructuredText, HTML, "
    "sitemaps,\n"
    "lists of URLs, any text; folders are searched for the first three) the links are checked, "
    "and\n"
    "nothing is followed.\n"
    "\n"
    "Exit codes: 0 no more than --max-broken links are broken, 1 it could not be run or "
    "completed,\n"
    "2 broken links, 3 a configuration file is wrong or the result could not be printed.\n"
    "docs/check.md has the whole manual.";

constexpr std::array<options::Choice<CheckFormat>, 5> kCheckFormats = {{
    {"text", CheckFormat::text},
    {"json", CheckFormat::json},
    {"junit", CheckFormat::junit},
    {"sarif", CheckFormat::sarif},
    {"markdown", CheckFormat::markdown},
}};
constexpr std::array<options::Choice<check::FragmentCheck>, 3> kFragments = {{
    {"none", check::FragmentCheck::none},
    {"site", check::FragmentCheck::site},
    {"all", check::FragmentCheck::all},
}};

options::Value accepted_value(check::AcceptedStatuses& into) {
  const auto take = [&into](const std::string& text) {
    auto accepted = check::AcceptedStatuses::parse(text);
    if (!accepted) return std::string(accepted.error().detail());
    into = std::move(*accepted);
    return std::string();
  };
  return options::custom("STATUSES", take, into.to_string());
}

options::Value root_value(check::FileRules& rules) {
  options::Value value = options::custom("DIR", [&rules](const std::string& path) -> std::string {
    std::error_code error;
    if (!fs::is_directory(path, error)) return "there is no folder " + path;
    auto url = check::file_url(path);
    if (!url) return std::string(url.error().detail());
    rules.root = std::move(*url);
    return {};
  });
  value.kind = options::Kind::folder;
  return value;
}

options::Value base_value(check::FileRules& rules) {
  return options::custom("URL", [&rules](const std::string& text) -> std::string {
    auto url = crawler::parse_root(text);
    if (!url) return std::string(url.error().detail());
    rules.base_url = std::move(*url);
    return {};
  });
}

void declare_what(options::Table& table, CheckArguments& arguments) {
  crawler::Options& settings = arguments.crawl.crawl;
  table.group("What to check");
  table
      .optional_words(options::texts(arguments.sources, "SOURCE"),
                      "sites, by URL; files and folders, by path; - is standard input")
      .kind = options::Kind::file;
  table.option("--scope", options::choice(kScopes, settings.scope.kind),
               "which pages of a site are checked");
  table.option("-l,--depth,--level", options::count(settings.scope.depth_max, 0, "inf"),
               "links to follow from a URL");
  table.repeated("--include", options::texts(settings.scope.include, "REGEX"),
                 "check only pages that match one of these");
  table.repeated("--exclude,--ignore", options::texts(settings.scope.exclude, "REGEX"),
                 "do not check links that match");
  table.flag("--sitemaps", settings.reads_sitemaps, "also check the pages that sitemaps list");
  table.negation("--no-external", arguments.options.checks_external,
                 "do not check links to other hosts");
  table.option("--fragments", options::choice(kFragments, arguments.options.fragments),
               "check the places in pages that links name");
  table.option("--accept", accepted_value(arguments.options.accepted), "statuses that are fine");
  table.option("--root-dir", root_value(arguments.file_rules), "what / is in links of files");
  table.option("--base-url", base_value(arguments.file_rules), "the same, on a site");
}

void declare_result(options::Table& table, CheckArguments& arguments) {
  table.group("What comes of it");
  table.option("--format", options::choice(kCheckFormats, arguments.format), "of the result");
  table.option("-o,--output", options::file(arguments.output_file), "write it there").unset =
      "stdout";
  table.option("--max-broken", options::count(arguments.broken_max),
               "succeed with up to this many broken links");
  table.flag("--fail-on-warnings", arguments.fails_on_warnings,
             "count moved, insecure and mixed links as broken");
  table.option("--cache", options::file(arguments.cache_file),
               "store the answers of other hosts there for the next time");
  table.option("--max-cache-age", options::duration(arguments.cache_age_max),
               "check again after that");
  table.flag("-q,--quiet", arguments.crawl.is_quiet, "no progress, only errors");
  table.counted_flag("-v,--verbose", arguments.crawl.verbosity,
                     "also what was not checked, and the log; twice: more of that");
  table.negation("--no-progress", arguments.has_progress, "no progress while it runs");
}

// "README.md" is a file that is missing rather than a host.
bool is_meant_as_file(const std::string& source) {
  if (source.starts_with('/') || source.starts_with('.')) return true;
  return source.find("://") == std::string::npos &&
         check::type_of_file(source, {}) != check::DocumentType::opaque;
}

Result<void> sort_sources(CheckArguments& arguments) {
  if (arguments.sources.empty()) {
    return fail(Errc::invalid_argument, "say what to check: gossamer check URL|FILE...");
  }
  for (std::string& source : arguments.sources) {
    std::error_code error;
    const bool may_be_path = source.find("://") == std::string::npos;
    if (source == "-" || (may_be_path && fs::exists(source, error))) {
      arguments.files.push_back(source);
    } else if (is_meant_as_file(source)) {
      return fail(Errc::invalid_argument, "there is no file " + source);
    } else if (auto url = crawler::parse_root(source); !url) {
      return fail(std::move(url).error());
    } else {
      arguments.crawl.crawl.roots.push_back(source);
    }
    source = without_password(source);
  }
  return {};
}

}  // namespace

int check_failed(std::string_view message) {
  static_cast<void>(usage_error(kCheckCommand, message));
  return kNotRun;
}

void declare_check(options::Table& table, CheckArguments& arguments) {
  table.summary("Find broken links, on sites and in files.");
  declare_what(table, arguments);
  declare_result(table, arguments);
  declare_politeness(table, arguments.crawl.crawl);
  declare_limits(table, arguments.crawl.crawl);
  declare_network_and_identity(table, arguments.crawl);
  table.take_hosts(host_keys(table.declared(), arguments.crawl.crawl.own_identity));
  table.footer(kCheckFooter);
}

Result<void> settle_check(const options::Table& table, CheckArguments& arguments) {
  if (auto sorted = sort_sources(arguments); !sorted) return sorted;
  CrawlArguments& crawl = arguments.crawl;
  arguments.has_progress = arguments.has_progress && !crawl.is_quiet;
  crawl.output.command = kCheckCommand;
  crawl.crawl.asks_for_leaves = true;
  if (auto set = settle_visits(table, crawl); !set) return set;
  return run::complete(crawl.crawl);
}

}  // namespace gossamer::cli
