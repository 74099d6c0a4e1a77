#include "cli/check_arguments.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "check/checked_files.h"
#include "cli/arguments.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/crawl_manners.h"
#include "cli/login_arguments.h"

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

constexpr std::string_view kFooter =
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

constexpr std::array<Choice<CheckFormat>, 4> kFormats = {{
    {"text", CheckFormat::text},
    {"json", CheckFormat::json},
    {"junit", CheckFormat::junit},
    {"markdown", CheckFormat::markdown},
}};
constexpr std::array<Choice<check::FragmentCheck>, 3> kFragments = {{
    {"none", check::FragmentCheck::none},
    {"site", check::FragmentCheck::site},
    {"all", check::FragmentCheck::all},
}};

// The words as they were given, before they mean anything together.
struct Words {
  std::vector<std::string> sources;
  std::string root_dir;
  std::string base_url;
  bool no_external = false;
  bool no_progress = false;
  MannerWords manners;
};

void declare_what(Arguments& declared, Words& words, CheckArguments& arguments) {
  crawler::Options& options = arguments.crawl.crawl;
  declared.group("What to check");
  declared.positionals("SOURCE", words.sources,
                       "sites, by URL; files and folders, by path; - is standard input", true);
  declared.option("--scope", taker_of(kScopes, options.scope.kind), "page|prefix|host|domain|any",
                  "which pages are looked through [host]");
  declared.option("-l,--depth,--level", taker_of_depth(options.scope.depth_max), "N|inf",
                  "links to follow from a URL [inf]");
  declared.repeated("--include", options.scope.include, "REGEX",
                    "look only through pages that match one of these");
  declared.repeated("--exclude,--ignore", options.scope.exclude, "REGEX",
                    "do not check links that match");
  declared.flag("--sitemaps", options.reads_sitemaps, "look also through what sitemaps list");
  declared.flag("--no-external", words.no_external, "do not check links to other hosts");
  declared.option("--fragments", taker_of(kFragments, arguments.options.fragments), "none|site|all",
                  "look for the places in pages that links name [site]");
  declared.option(
      "--accept",
      [&arguments](const std::string& text) {
        auto accepted = check::AcceptedStatuses::parse(text);
        if (!accepted) return std::string(accepted.error().detail());
        arguments.options.accepted = std::move(*accepted);
        return std::string();
      },
      "STATUSES", "that are no fault [200..=299]");
  declared.option("--root-dir", words.root_dir, "DIR", "what / is in links of files");
  declared.option("--base-url", words.base_url, "URL", "the same, on a site");
}

void declare_result(Arguments& declared, Words& words, CheckArguments& arguments) {
  declared.group("What comes of it");
  declared.option("--format", taker_of(kFormats, arguments.format), "text|json|junit|markdown",
                  "of the result [text]");
  declared.option("-o,--output", arguments.output_file, "FILE", "it goes there [stdout]");
  declared.option("--max-broken", arguments.broken_max, "N", "that many are no failure [0]");
  declared.flag("--fail-on-warnings", arguments.fails_on_warnings,
                "count moved, insecure and mixed links as broken");
  declared.option("--cache", arguments.cache_file, "FILE",
                  "keep answers of other hosts there for the next time");
  declared.option("--max-cache-age", taker_of_duration(arguments.cache_age_max), "TIME",
                  "ask again after that [1d]");
  declared.flag("-q,--quiet", arguments.crawl.is_quiet, "no progress, only errors");
  declared.counted_flag("-v,--verbose", arguments.crawl.verbosity,
                        "also what was not checked, and the log; twice: more of that");
  declared.flag("--no-progress", words.no_progress, "no progress while it runs");
}

// "README.md" is a file that is missing rather than a host.
bool is_meant_as_file(const std::string& source) {
  if (source.starts_with('/') || source.starts_with('.')) return true;
  return source.find("://") == std::string::npos &&
         check::type_of_file(source, {}) != check::DocumentType::opaque;
}

Result<void> sort_sources(const Words& words, CheckArguments& arguments) {
  if (words.sources.empty()) {
    return fail(Errc::invalid_argument, "say what to check: gossamer check URL|FILE...");
  }
  for (const std::string& source : words.sources) {
    arguments.sources.push_back(without_password(source));
  }
  for (const std::string& source : words.sources) {
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
  }
  return {};
}

Result<void> set_file_rules(const Words& words, check::FileRules& rules) {
  if (!words.base_url.empty()) {
    auto url = crawler::parse_root(words.base_url);
    if (!url) return fail(std::move(url).error(), "in --base-url");
    rules.base_url = std::move(*url);
  }
  if (words.root_dir.empty()) return {};
  std::error_code error;
  if (!fs::is_directory(words.root_dir, error)) {
    return fail(Errc::invalid_argument, "--root-dir: there is no folder " + words.root_dir);
  }
  auto url = check::file_url(words.root_dir);
  if (!url) return fail(std::move(url).error());
  rules.root = std::move(*url);
  return {};
}

Result<void> put_together(const Words& words, CheckArguments& arguments) {
  if (auto sorted = sort_sources(words, arguments); !sorted) return sorted;
  if (auto set = set_file_rules(words, arguments.file_rules); !set) return set;
  arguments.options.checks_external = !words.no_external;
  arguments.has_progress = !words.no_progress && !arguments.crawl.is_quiet;
  CrawlArguments& crawl = arguments.crawl;
  crawl.output.command = kCheckCommand;
  crawl.crawl.asks_for_leaves = true;
  if (auto set = settle_manners(words.manners, crawl); !set) return set;
  return settle_crawl(crawl);
}

}  // namespace

int check_failed(std::string_view message) {
  static_cast<void>(usage_error(kCheckCommand, message));
  return kNotRun;
}

std::optional<int> read_check_arguments(const std::vector<std::string>& given,
                                        CheckArguments& arguments) {
  Words words;
  Arguments declared(kCheckCommand, "Look for broken links, on sites and in files.");
  declared.exit_codes(kNotRun, kBadConfiguration);
  declare_what(declared, words, arguments);
  declare_result(declared, words, arguments);
  declare_politeness(declared, words.manners, arguments.crawl.crawl);
  declare_limits(declared, words.manners, arguments.crawl);
  declare_network_and_identity(declared, words.manners, arguments.crawl);
  declared.read_configuration(ConfigWorld::of_this_process());
  declared.take_hosts(host_keys(declared.declared(), arguments.crawl.identity));
  declared.footer(kFooter);
  if (const auto exit_code = declared.parse(given)) return exit_code;
  if (auto done = put_together(words, arguments); !done) return check_failed(done.error().detail());
  return std::nullopt;
}

}  // namespace gossamer::cli
