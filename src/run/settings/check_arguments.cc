#include "settings/check_arguments.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "check/checked_files.h"
#include "scope/host_options.h"
#include "settings/login_arguments.h"
#include "settings/visit_arguments.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

constexpr std::string_view kAuthorization = "Authorization";

// Messages must not show the credentials of a URL.
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
    if (!fs::is_directory(path, error)) return "folder " + path + " does not exist";
    auto url = check::file_url(path);
    if (!url) return std::string(url.error().detail());
    rules.root = std::move(*url);
    return {};
  });
  value.kind = options::Kind::folder;
  return value;
}

options::Value remap_value(check::FileRules& rules) {
  return options::custom("RULE", [&rules](const std::string& text) -> std::string {
    auto added = rules.remaps.add(text);
    return added ? std::string() : std::string(added.error().detail());
  });
}

options::Value base_value(check::FileRules& rules) {
  return options::custom("URL", [&rules](const std::string& text) -> std::string {
    auto url = crawler::parse_root(text);
    if (!url) return std::string(url.error().detail());
    rules.base_url = std::move(*url);
    return {};
  });
}

void declare_files(options::Table& table, check::FileRules& rules) {
  table.flag("include-wikilinks", rules.markdown.has_wikilinks,
             "also check the wikilinks of Markdown", Concern::crawl, Power::none);
  table.flag("include-verbatim", rules.markdown.reads_code,
             "also check URLs in the code of Markdown", Concern::crawl, Power::none);
  table.repeated("remap", remap_value(rules), "replace URLs in files: 'PATTERN REPLACEMENT'",
                 Concern::crawl, Power::send);
  table.option("root-dir", root_value(rules),
               "resolve links that begin with / in files against DIR", Concern::crawl,
               Power::read_files);
  table.option("base-url", base_value(rules),
               "resolve links that begin with / in files against URL", Concern::crawl, Power::none);
}

void declare_what(options::Table& table, CheckArguments& arguments) {
  run::CrawlSettings& settings = arguments.crawl.crawl;
  table.group("Input");
  options::Option& sources = table.optional_words(
      options::texts(arguments.check.sources, "SOURCE"),
      "URLs of sites, files, folders; - is standard input", Concern::run, Power::read_files);
  sources.kind = options::Kind::file;
  sources.is_harmless = [](std::string_view source) { return source.contains("://"); };
  table.option("scope", options::choice(kScopes, settings.scope.kind),
               "limit the check to the URLs' pages, folders, hosts or domains", Concern::crawl,
               Power::none);
  table.option("l,depth,level", options::count(settings.scope.depth_max, 0, "inf"),
               "follow at most N links from a URL", Concern::crawl, Power::none);
  table.repeated(
      "include",
      with_hosts(options::texts(settings.scope.include, "REGEX"), settings.own_identity,
                 [](run::HostSettings& host) { return host_patterns(host.options.include); }),
      "check only pages that match one of these", Concern::crawl, Power::none);
  table.repeated(
      "exclude,ignore",
      with_hosts(options::texts(settings.scope.exclude, "REGEX"), settings.own_identity,
                 [](run::HostSettings& host) { return host_patterns(host.options.exclude); }),
      "do not check links that match", Concern::crawl, Power::none);
  table.flag("sitemaps", settings.reads_sitemaps, "also check the pages that sitemaps list",
             Concern::crawl, Power::none);
  table.flag("js-links", settings.mines_scripts,
             "also read pages whose URLs are strings in scripts and JSON", Concern::crawl,
             Power::none);
  table.negation("no-external", arguments.check.options.checks_external,
                 "do not check links to other hosts", Concern::crawl, Power::none);
  table.option("fragments", options::choice(kFragments, arguments.check.options.fragments),
               "check that #fragments of links exist", Concern::crawl, Power::none);
  table.flag("seo", arguments.check.audits_pages,
             "also find faults of pages: titles, descriptions, canonical URLs", Concern::crawl,
             Power::none);
  table.option("accept", accepted_value(arguments.check.options.accepted), "accept these statuses",
               Concern::crawl, Power::none);
  table.flag("include-mail", arguments.check.options.checks_mail,
             "also check the form of mail addresses (mailto:)", Concern::crawl, Power::none);
  table
      .option("github-token", options::text(arguments.github_token, "TOKEN"),
              "send this token to GitHub; env:NAME reads the environment", Concern::crawl,
              Power::read_files)
      .is_secret = [](std::string_view token) { return !token.starts_with("env:"); };
  declare_files(table, arguments.check.file_rules);
}

void declare_result(options::Table& table, CheckArguments& arguments) {
  table.group("Result");
  table.option("format", options::choice(kCheckFormats, arguments.format), "set the format",
               Concern::output, Power::none);
  table
      .option("o,output", options::file(arguments.output_file), "write the result to FILE",
              Concern::output, Power::write_files)
      .unset = "stdout";
  table.option("max-broken", options::count(arguments.broken_max),
               "succeed with up to this many broken links", Concern::output, Power::none);
  table.flag("fail-on-warnings", arguments.fails_on_warnings,
             "count moved, insecure and mixed links and `seo` as broken", Concern::output,
             Power::none);
  table.flag("suggest", arguments.suggests_copies,
             "name a copy in the Wayback Machine for each broken link", Concern::output,
             Power::none);
  table.repeated("suggest-from", options::texts(arguments.copies_in, "DIR|FILE"),
                 "the same, but first look in this crawl directory or archive", Concern::output,
                 Power::read_files);
  table.option("baseline", options::file(arguments.baseline_file),
               "mark the faults that FILE, the JSON of an earlier check, has", Concern::output,
               Power::read_files);
  table.flag("fail-on-new", arguments.fails_on_new,
             "count only faults that the `baseline` does not have", Concern::output, Power::none);
  table.option("cache", options::file(arguments.check.cache_file),
               "store results for other hosts in FILE and reuse them", Concern::run,
               Power::write_files);
  table.option("max-cache-age", options::duration(arguments.check.cache_age_max),
               "check a stored result again after TIME", Concern::run, Power::none);
  table.flag("q,quiet", arguments.crawl.is_quiet, "print only the result and errors",
             Concern::output, Power::none);
  table.counted_flag("v,verbose", arguments.crawl.verbosity,
                     "also show unchecked links and the log; -vv: a detailed log", Concern::output,
                     Power::none);
  table.negation("no-progress", arguments.has_progress, "do not show progress", Concern::output,
                 Power::none);
}

// True for "README.md" and "docs/": a missing file or folder rather than a host.
bool is_meant_as_file(const std::string& source) {
  if (source.starts_with('/') || source.starts_with('.')) return true;
  if (source.find("://") != std::string::npos) return false;
  const std::string_view first = std::string_view(source).substr(0, source.find('/'));
  const bool may_be_host = first.find_first_of(".:") != first.npos || first == "localhost";
  if (first.size() < source.size() && !may_be_host) return true;
  return check::type_of_file(source, {}) != check::DocumentType::opaque;
}

Result<void> sort_sources(CheckArguments& arguments) {
  if (arguments.check.sources.empty()) {
    return fail(Errc::invalid_argument, "nothing to check; usage: gossamer check URL|FILE...");
  }
  for (std::string& source : arguments.check.sources) {
    std::error_code error;
    const bool may_be_path = source.find("://") == std::string::npos;
    if (source == "-" || (may_be_path && fs::exists(source, error))) {
      arguments.check.files.push_back(source);
    } else if (is_meant_as_file(source)) {
      return fail(Errc::invalid_argument,
                  fmt::format("{0} does not exist; write http://{0} if it is a host", source));
    } else if (auto url = crawler::parse_root(source); !url) {
      return fail(std::move(url).error());
    } else {
      arguments.crawl.crawl.roots.push_back(source);
    }
    source = without_password(source);
  }
  return {};
}

// Fields of a host are sent over https only, except to a root, which is sent what the user said.
bool is_in_the_clear(const std::string& root, std::string_view host) {
  const auto url = crawler::parse_root(root);
  return url && url->hostname() == host && (url->protocol() != "https:" || !url->port().empty());
}

// GitHub limits requests without a token.
Result<void> add_github_token(const std::string& text, const std::vector<std::string>& roots,
                              run::IdentitySettings& identity) {
  if (text.empty()) return {};
  auto token = run::resolve_secret(text);
  if (!token) return fail(std::move(token).error());
  if (token->empty()) return {};
  for (const std::string host : {"github.com", "api.github.com"}) {
    for (const std::string& root : roots) {
      if (!is_in_the_clear(root, host)) continue;
      return fail(Errc::invalid_argument,
                  fmt::format("`github-token` is sent over https only: write https://{}/", host));
    }
    const auto wide = identity.hosts.find("*.github.com");
    if (!identity.hosts.contains(host) && wide != identity.hosts.end() && host.starts_with("api")) {
      identity.hosts[host].fields = wide->second.fields;
    }
    std::vector<http::Field>& fields = identity.hosts[host].fields;
    const auto is_given = [](const http::Field& field) {
      return base::equals_ignoring_case(field.name, kAuthorization);
    };
    if (std::ranges::any_of(fields, is_given)) continue;
    fields.push_back({std::string(kAuthorization), "Bearer " + *token});
  }
  return {};
}

}  // namespace

void declare_check_settings(options::Table& table, CheckArguments& arguments) {
  declare_what(table, arguments);
  declare_result(table, arguments);
  declare_politeness(table, arguments.crawl.crawl);
  declare_limits(table, arguments.crawl.crawl);
  declare_network_and_identity(table, arguments.crawl);
  table.take_hosts(crawler::parse_host_name);
}

Result<void> complete_check(const options::Table& table, CheckArguments& arguments) {
  if (auto sorted = sort_sources(arguments); !sorted) return sorted;
  CrawlArguments& crawl = arguments.crawl;
  if (arguments.check.audits_pages && crawl.crawl.roots.empty()) {
    return fail(Errc::invalid_argument, "`seo` requires the URL of a site");
  }
  if (arguments.fails_on_new && arguments.baseline_file.empty()) {
    return fail(Errc::invalid_argument,
                "`fail-on-new` requires `baseline` FILE, the JSON of an earlier check");
  }
  if (auto added =
          add_github_token(arguments.github_token, crawl.crawl.roots, crawl.crawl.own_identity);
      !added) {
    return added;
  }
  arguments.has_progress = arguments.has_progress && !crawl.is_quiet;
  crawl.output.command = kCheckCommand;
  if (auto set = complete_visits(table, crawl); !set) return set;
  arguments.check.crawl = std::move(crawl.crawl);
  return run::complete(arguments.check);
}

}  // namespace gossamer::settings
