#include "cli/crawl_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "cli/archive_arguments.h"
#include "cli/arguments.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/crawl_manners.h"
#include "cli/crawl_output_arguments.h"
#include "cli/job_arguments.h"
#include "cli/root_list.h"
#include "http/authenticator.h"
#include "run/control_protocol.h"
#include "run/crawl_fields.h"
#include "run/random_salt.h"
#include "wire/content_coding.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCrawlCommand = "crawl";

constexpr std::string_view kFooter =
    "A URL is asked for if it is http or https, in the scope, matched by no --exclude, by an\n"
    "--include if there are any, not too deep, and allowed by robots.txt. Roots need no "
    "--include.\n"
    "\n"
    "Exit codes: 0 all is well, 2 usage, 3 files, 4 network, 5 TLS, 6 password wanted, 7 "
    "protocol,\n"
    "8 a server answered with an error (of several the lowest); 11 interrupted, 13 interrupted\n"
    "twice, 14 --quota, 15 --max-time, 16 a host was unreachable, 17 --memory.\n"
    "docs/crawl.md has the whole manual.";

// The words as they were given, before they mean anything together.
struct Words {
  std::vector<std::string> urls;
  std::vector<std::string> input_files;
  std::string scope;
  bool is_strict = false;
  bool is_lenient = false;
  OutputWords output;
  MannerWords manners;
};

constexpr std::array<Choice<crawler::CrawlOrder>, 3> kOrders = {{
    {"breadth", crawler::CrawlOrder::breadth_first},
    {"depth", crawler::CrawlOrder::depth_first},
    {"score", crawler::CrawlOrder::score},
}};

std::string take_extensions(const std::string& list, std::vector<std::string>& into) {
  if (list == "usual") {
    into.insert(into.end(), crawler::kUsualSkippedExtensions.begin(),
                crawler::kUsualSkippedExtensions.end());
    return {};
  }
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string extension = list.substr(at, end - at);
    if (extension.starts_with('.')) extension.erase(0, 1);
    if (extension.empty()) return "takes extensions such as zip,pdf or the word usual";
    std::ranges::transform(extension, extension.begin(), [](char c) { return base::to_lower(c); });
    into.push_back(std::move(extension));
    at = end + 1;
  }
  return {};
}

std::string take_content_type(const std::string& text, std::vector<std::string>& into) {
  const std::size_t slash = text.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == text.size()) {
    return "takes a type such as text/html or image/*, not '" + text + "'";
  }
  std::string type = text;
  std::ranges::transform(type, type.begin(), [](char c) { return base::to_lower(c); });
  into.push_back(std::move(type));
  return {};
}

std::string switch_trap_off(const std::string& name, crawler::Options& options) {
  const std::array<Choice<bool*>, 7> guards = {{
      {"repeated_segments", &options.traps.repeated_segments},
      {"path_depth", &options.traps.path_depth},
      {"calendar", &options.traps.calendar},
      {"session_growth", &options.traps.session_growth},
      {"endless_series", &options.traps.endless_series},
      {"domain_hosts", &options.traps.domain_hosts},
      {"soft_404", &options.detects_soft_404},
  }};
  bool* guard = nullptr;
  std::string problem = choose(name, guards, guard);
  if (guard != nullptr) *guard = false;
  return problem;
}

void declare_scope(Arguments& declared, Words& words, crawler::Options& options) {
  declared.group("Which pages");
  declared.positionals("URL", words.urls, "where to begin; http:// may be left out", true);
  declared.repeated("-i,--input-file", words.input_files, "FILE",
                    "begin with the URLs in it, one per line; - is standard input");
  declared.option("--scope", words.scope, "page|prefix|host|domain|any",
                  "how far from the roots [host]");
  declared.flag("--strict", words.is_strict, "as --scope host");
  declared.flag("--lenient", words.is_lenient, "as --scope domain");
  declared.repeated("--include", options.scope.include, "REGEX",
                    "only URLs that match one of these");
  declared.repeated("--exclude", options.scope.exclude, "REGEX", "no URL that matches; wins");
  declared.option("-l,--depth,--level", taker_of_depth(options.scope.depth_max), "N|inf",
                  "links to follow from a root [inf]");
  declared.flag("--assets", options.scope.assets, "images, styles and scripts of pages too");
  declared.flag("--sitemaps", options.reads_sitemaps, "also what sitemaps list");
  declared.repeated(
      "--content-type",
      [&options](const std::string& t) { return take_content_type(t, options.content_types); },
      "TYPE", "read only bodies of these types");
  declared.repeated(
      "--skip-extensions",
      [&options](const std::string& list) {
        return take_extensions(list, options.scope.skipped_extensions);
      },
      "LIST|usual", "do not ask for what ends so: zip,pdf; usual: no pictures, films, archives");
  declared.option("--max-url-length", taker_of_number(options.scope.url_bytes_max, 1), "BYTES",
                  "no longer URLs [4096]");
  declared.repeated(
      "--no-trap", [&options](const std::string& t) { return switch_trap_off(t, options); }, "NAME",
      "without this guard: repeated_segments, path_depth, calendar, session_growth, "
      "endless_series, domain_hosts, soft_404");
  declared.option("--max-hosts-per-domain", taker_of_number(options.traps.hosts_per_domain_max, 1),
                  "N", "crawl at most N hosts of one domain [10000]");
  declared.option("--order", taker_of(kOrders, options.order), "breadth|depth|score",
                  "which page of a host comes first [breadth]");
}

Result<void> add_roots(const Words& words, crawler::Options& options) {
  const auto add = [&options](std::string root) -> Result<void> {
    if (auto url = parse_typed_url(root); !url) {
      return fail(Errc::invalid_argument, std::string(url.error().detail()));
    }
    options.roots.push_back(std::move(root));
    return {};
  };
  for (const std::string& url : words.urls) {
    if (auto added = add(url); !added) return added;
  }
  for (const std::string& path : words.input_files) {
    if (auto read = read_roots(path, add); !read) return read;
  }
  if (options.roots.empty()) {
    return fail(Errc::invalid_argument, "say where to begin: gossamer crawl URL...");
  }
  return {};
}

Result<void> set_scope(const Words& words, crawler::Options& options) {
  if ((words.is_strict ? 1 : 0) + (words.is_lenient ? 1 : 0) + (words.scope.empty() ? 0 : 1) > 1) {
    return fail(Errc::invalid_argument, "--scope, --strict and --lenient are one of three");
  }
  if (words.is_lenient) options.scope.kind = crawler::ScopeKind::domain;
  if (words.scope.empty()) return {};
  const std::string problem = choose(words.scope, kScopes, options.scope.kind);
  if (!problem.empty()) return fail(Errc::invalid_argument, "--scope: " + problem);
  return {};
}

// A root of each origin, if passwords may have to be found for them. There may be a million roots.
std::vector<url::Url> roots_with_passwords(const CrawlArguments& arguments) {
  std::vector<url::Url> roots;
  const IdentityWords& words = arguments.identity;
  const bool is_needed =
      words.netrc || !words.netrc_file.empty() || !words.hosts.empty() || !words.login.user.empty();
  if (!is_needed) return roots;
  std::unordered_set<std::string> origins;
  for (const std::string& text : arguments.crawl.roots) {
    auto root = crawler::parse_root(text);
    if (root && origins.insert(root->origin()).second) roots.push_back(std::move(*root));
  }
  return roots;
}

// Hosts of their own kind, passwords, and pages to log in at.
Result<void> settle_logins(CrawlArguments& arguments, run::CrawlFields& fields) {
  run::CrawlSettings& options = arguments.crawl;
  auto identity = settle_identity(arguments.identity, roots_with_passwords(arguments), fields);
  if (!identity) return fail(std::move(identity).error());
  options.hosts = std::move(identity->hosts);
  options.logins = std::move(identity->logins);
  // Cookies that somebody brings are a session, too.
  const bool has_session = !options.logins.empty() || !options.cookies.load.empty();
  options.avoids_logout = has_session && !arguments.identity.follows_logout;
  return crawler::validate(options.hosts);
}

Result<void> put_together(const Words& words, CrawlArguments& arguments) {
  crawler::Options& options = arguments.crawl;
  if (auto set = set_scope(words, options); !set) return set;
  if (auto added = add_roots(words, options); !added) return added;
  if (auto set = settle_manners(words.manners, arguments); !set) return set;
  if (auto set = settle_output(words.output, arguments); !set) return set;
  if (auto set = settle_job(arguments); !set) return set;
  if (auto set = settle_archive(arguments); !set) return set;
  if (!arguments.crawl.job.folder.empty()) {
    arguments.crawl.job.configuration = job_text(arguments.said, arguments.crawl.roots);
  }
  return settle_crawl(arguments);
}

}  // namespace

Result<void> settle_crawl(CrawlArguments& arguments) {
  run::CrawlSettings& settings = arguments.crawl;
  if (auto good = crawler::validate(settings); !good) return good;
  auto fields = run::CrawlFields::make(arguments.fields);
  if (!fields) return fail(std::move(fields).error());
  if (auto settled = settle_logins(arguments, *fields); !settled) return settled;
  if (auto settled = settle(arguments); !settled) return settled;
  settings.fields = std::make_shared<run::CrawlFields>(std::move(*fields));
  settings.web = std::move(arguments.web);
  settings.driver = arguments.driver;
  return run::complete(settings);
}

std::optional<int> read_crawl_arguments(const std::vector<std::string>& given, ConfigWorld world,
                                        CrawlArguments& arguments) {
  Words words;
  Arguments declared(kCrawlCommand,
                     "Fetch every page that can be reached from the URLs, each once.");
  declare_scope(declared, words, arguments.crawl);
  declare_politeness(declared, words.manners, arguments.crawl);
  declared.flag("--follow-nofollow", words.manners.follow_nofollow,
                "follow links that say nofollow");
  declare_limits(declared, words.manners, arguments);
  declare_output(declared, words.output, arguments);
  declare_archive(declared, arguments.crawl.archive);
  declare_job(declared, arguments.crawl.job);
  declare_network_and_identity(declared, words.manners, arguments);
  declared.option("--threads", taker_of_number(arguments.crawl.threads, 1), "N",
                  "loops among which the sites are dealt [1]");
  declared.read_configuration(std::move(world));
  declared.take_hosts(host_keys(declared.declared(), arguments.identity));
  declared.footer(kFooter);
  if (const auto exit_code = declared.parse(given)) return exit_code;
  if (const auto exit_code = list_fields(words.output)) return exit_code;
  arguments.said = declared.said();
  if (auto done = put_together(words, arguments); !done) {
    return usage_error(kCrawlCommand, done.error().detail());
  }
  return std::nullopt;
}

}  // namespace gossamer::cli
