#include "settings/crawl_arguments.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "scope/host_options.h"
#include "settings/archive_arguments.h"
#include "settings/cluster_arguments.h"
#include "settings/crawl_output_arguments.h"
#include "settings/job_arguments.h"
#include "settings/login_arguments.h"
#include "settings/root_list.h"
#include "settings/visit_arguments.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

constexpr std::array<options::Choice<crawler::CrawlOrder>, 3> kOrders = {{
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
    if (extension.empty()) return "expected extensions such as zip,pdf or the word usual";
    std::ranges::transform(extension, extension.begin(), [](char c) { return base::to_lower(c); });
    into.push_back(std::move(extension));
    at = end + 1;
  }
  return {};
}

std::string take_content_type(const std::string& text, std::vector<std::string>& into) {
  const std::size_t slash = text.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == text.size()) {
    return "expected a type such as text/html or image/*, not '" + text + "'";
  }
  std::string type = text;
  std::ranges::transform(type, type.begin(), [](char c) { return base::to_lower(c); });
  into.push_back(std::move(type));
  return {};
}

std::string switch_trap_off(const std::string& name, crawler::Options& options) {
  const std::array<options::Choice<bool*>, 7> guards = {{
      {"repeated_segments", &options.traps.repeated_segments},
      {"path_depth", &options.traps.path_depth},
      {"calendar", &options.traps.calendar},
      {"session_growth", &options.traps.session_growth},
      {"endless_series", &options.traps.endless_series},
      {"domain_hosts", &options.traps.domain_hosts},
      {"soft_404", &options.detects_soft_404},
  }};
  bool* guard = nullptr;
  std::string problem = options::take_choice(name, guards, guard);
  if (guard != nullptr) *guard = false;
  return problem;
}

void declare_rendering(options::Table& table, run::CrawlSettings& settings) {
  options::Option& render = table.option(
      "render", options::choice(kRenderModes, settings.renders),
      "read pages as a browser has them: those that need it, or all", Concern::crawl, Power::send);
  render.is_harmless = [](std::string_view mode) { return mode == "never"; };
  table.option("render-with", options::text(settings.render_with, "URL"),
               "render in this browser instead: ws://HOST:PORT/..., not sealed", Concern::run,
               Power::send);
  table.option("wait-for", options::text(settings.render_wait_for, "SELECTOR"),
               "read rendered pages when they have such an element", Concern::crawl, Power::none);
  table.option("scroll", options::count(settings.render_scrolls, 0),
               "scroll rendered pages to their end N times", Concern::crawl, Power::none);
}

void declare_scope(options::Table& table, CrawlArguments& arguments) {
  run::CrawlSettings& settings = arguments.crawl;
  crawler::ScopeOptions& scope = settings.scope;
  table.group("Scope");
  table.optional_words(options::texts(settings.roots, "URL"), "where to start; http:// is optional",
                       Concern::gathered, Power::none);
  table.repeated("i,input-file", options::files(arguments.input_files),
                 "start from the URLs in FILE, one per line; - is standard input", Concern::run,
                 Power::read_files);
  table.option("scope", options::choice(kScopes, scope.kind),
               "limit the crawl to the roots' pages, folders, hosts or domains", Concern::crawl,
               Power::none);
  table.flag(
      "strict", [&scope] { scope.kind = crawler::ScopeKind::host; }, "same as `scope` host",
      Concern::crawl, Power::none);
  table.flag(
      "lenient", [&scope] { scope.kind = crawler::ScopeKind::domain; }, "same as `scope` domain",
      Concern::crawl, Power::none);
  table.repeated(
      "include",
      with_hosts(options::texts(scope.include, "REGEX"), settings.own_identity,
                 [](run::HostSettings& host) { return host_patterns(host.options.include); }),
      "fetch only URLs that match; may be repeated", Concern::crawl, Power::none);
  table.repeated(
      "exclude",
      with_hosts(options::texts(scope.exclude, "REGEX"), settings.own_identity,
                 [](run::HostSettings& host) { return host_patterns(host.options.exclude); }),
      "skip URLs that match, even if included", Concern::crawl, Power::none);
  table.option("l,depth,level", options::count(scope.depth_max, 0, "inf"),
               "follow at most N links from a root", Concern::crawl, Power::none);
  table.flag("assets", scope.assets, "also fetch images, styles and scripts of pages",
             Concern::crawl, Power::none);
  table.flag("js-links", settings.mines_scripts,
             "also follow strings in scripts and JSON that look like URLs", Concern::crawl,
             Power::none);
  declare_rendering(table, settings);
  table.flag("sitemaps", settings.reads_sitemaps, "also fetch the URLs that sitemaps list",
             Concern::crawl, Power::none);
  const auto take_type = [&settings](const std::string& type) {
    return take_content_type(type, settings.content_types);
  };
  table.repeated("content-type", options::custom("TYPE", take_type),
                 "read only bodies of these types", Concern::crawl, Power::none);
  options::Value extensions = options::custom("LIST|usual", [&scope](const std::string& list) {
    return take_extensions(list, scope.skipped_extensions);
  });
  extensions.choices = {"usual"};
  table.repeated("skip-extensions", std::move(extensions),
                 "skip these extensions: zip,pdf; usual: images, videos, archives", Concern::crawl,
                 Power::none);
  table.option("max-url-length", options::count(scope.url_bytes_max, 1),
               "skip longer URLs, in bytes", Concern::crawl, Power::none);
  const auto take_trap = [&settings](const std::string& name) {
    return switch_trap_off(name, settings);
  };
  table.repeated("no-trap", options::custom("NAME", take_trap),
                 "disable a trap guard: repeated_segments, path_depth, calendar, session_growth, "
                 "endless_series, domain_hosts, soft_404",
                 Concern::crawl, Power::none);
  table.option("max-hosts-per-domain", options::count(settings.traps.hosts_per_domain_max, 1),
               "crawl at most N hosts of one domain", Concern::crawl, Power::none);
  table.option("order", options::choice(kOrders, settings.order),
               "set the order of the pages of a host", Concern::crawl, Power::none);
}

Result<void> add_roots(CrawlArguments& arguments) {
  std::vector<std::string>& roots = arguments.crawl.roots;
  const auto check = [](const std::string& root) -> Result<void> {
    if (auto url = parse_typed_url(root); !url) {
      return fail(Errc::invalid_argument, std::string(url.error().detail()));
    }
    return {};
  };
  const auto add = [&](std::string root) -> Result<void> {
    if (auto good = check(root); !good) return good;
    roots.push_back(std::move(root));
    return {};
  };
  for (const std::string& root : roots) {
    if (auto good = check(root); !good) return good;
  }
  for (const std::string& path : arguments.input_files) {
    if (auto read = read_roots(path, add); !read) return read;
  }
  if (roots.empty()) {
    return fail(Errc::invalid_argument, "no URL given; usage: gossamer crawl URL...");
  }
  return {};
}

Result<void> check_scope(const options::Table& table) {
  int said = 0;
  for (const std::string_view key : {"scope", "strict", "lenient"}) said += table.says(key) ? 1 : 0;
  if (said < 2) return {};
  return fail(Errc::invalid_argument, "use only one of `scope`, `strict` and `lenient`");
}

}  // namespace

void declare_crawl_settings(options::Table& table, CrawlArguments& arguments) {
  declare_scope(table, arguments);
  declare_politeness(table, arguments.crawl);
  table.flag(
      "follow-nofollow", [&arguments] { arguments.crawl.obeys_nofollow = false; },
      "follow links marked nofollow", Concern::crawl, Power::none);
  declare_limits(table, arguments.crawl);
  declare_output(table, arguments);
  declare_archive(table, arguments.crawl.archive);
  declare_search_index(table, arguments.crawl.builds_index);
  declare_job(table, arguments.crawl.job);
  declare_shared_crawl(table, arguments);
  declare_network_and_identity(table, arguments);
  table.option("threads", options::count(arguments.crawl.threads, 1),
               "distribute the sites among N event loops", Concern::machine, Power::none);
  table.take_hosts(crawler::parse_host_name);
}

const options::CommandTable& crawl_table() {
  static const options::CommandTable declared = [] {
    CrawlArguments arguments;
    options::Table table(arguments.output.command);
    declare_crawl_settings(table, arguments);
    return table.declared();
  }();
  return declared;
}

Result<void> complete_crawl_arguments(const options::Table& table, CrawlArguments& arguments) {
  if (auto good = check_scope(table); !good) return good;
  if (auto set = complete_shared_crawl(arguments); !set) return set;
  if (auto added = add_roots(arguments); !added) return added;
  if (auto set = complete_visits(table, arguments); !set) return set;
  if (auto set = complete_output(table, arguments); !set) return set;
  if (!arguments.crawl.job.folder.empty()) {
    store_settings(table, arguments.crawl);
  }
  return run::complete(arguments.crawl);
}

}  // namespace gossamer::settings
