#include "cli/crawl_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "cli/arguments.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/crawl_fields.h"
#include "cli/crawl_output_arguments.h"
#include "cli/number.h"
#include "cli/root_list.h"
#include "wire/content_coding.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCommand = "crawl";
constexpr std::uint32_t kThreadsMax = 256;

constexpr std::string_view kFooter =
    "A URL is asked for if it is http or https, in the scope, matched by no --exclude, by an\n"
    "--include if there are any, not too deep, and allowed by robots.txt. Roots need no "
    "--include.\n"
    "\n"
    "Exit codes: 0 all is well, 2 usage, 3 files, 4 network, 5 TLS, 6 password wanted, 7 "
    "protocol,\n"
    "8 a server answered with an error (of several the lowest); 11 interrupted, 13 interrupted\n"
    "twice, 14 --quota, 15 --max-time. docs/crawl.md has the whole manual.";

// The words as they were given, before they mean anything together.
struct Words {
  std::vector<std::string> urls;
  std::vector<std::string> input_files;
  std::string scope;
  bool is_strict = false;
  bool is_lenient = false;
  bool no_robots = false;
  bool follow_nofollow = false;
  OutputWords output;
  std::string user_agent;
  std::string contact;
  std::uint64_t max_size = 0;
  Duration timeout = Duration::zero();
  Duration read_timeout = Duration::zero();
  Duration dns_timeout = Duration::zero();
  std::optional<Duration> delay;
};

constexpr std::array<Choice<crawl::ScopeKind>, 5> kScopes = {{
    {"page", crawl::ScopeKind::page},
    {"prefix", crawl::ScopeKind::prefix},
    {"host", crawl::ScopeKind::host},
    {"domain", crawl::ScopeKind::domain},
    {"any", crawl::ScopeKind::any},
}};
constexpr std::array<Choice<crawl::CrawlOrder>, 3> kOrders = {{
    {"breadth", crawl::CrawlOrder::breadth_first},
    {"depth", crawl::CrawlOrder::depth_first},
    {"score", crawl::CrawlOrder::score},
}};

// A whole number within bounds, into whatever holds it.
template <class Number>
Arguments::Taker taker_of_number(Number& into, std::uint64_t min) {
  return [&into, min](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
    if (!parse_number(text, number) || number < min || number > kMax) {
      return fmt::format("takes a whole number from {} on, not '{}'", min, text);
    }
    into = static_cast<std::uint32_t>(number);
    return {};
  };
}

Arguments::Taker taker_of_depth(std::optional<std::uint32_t>& into) {
  return [take = taker_of_number(into, 0), &into](const std::string& text) mutable -> std::string {
    if (text != "inf") return take(text).empty() ? "" : "takes a number or inf, not '" + text + "'";
    into.reset();
    return {};
  };
}

// An option that is not given has no value.
template <class Value>
Arguments::Taker taker_of_optional(std::optional<Value>& into,
                                   Arguments::Taker (*taker)(Value& into)) {
  return [&into, taker](const std::string& text) {
    Value value = {};
    std::string problem = taker(value)(text);
    if (problem.empty()) into = value;
    return problem;
  };
}

// Requests per second, of which the least time between two is made.
Arguments::Taker taker_of_rate(Duration& gap) {
  return [&gap](const std::string& text) -> std::string {
    double rate = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, rate);
    if (error != std::errc() || stop != end || !(rate >= 1e-6) || rate > 1e9) {
      return "takes requests per second, such as 5 or 0.5, not '" + text + "'";
    }
    gap = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / rate));
    return {};
  };
}

std::string take_extensions(const std::string& list, std::vector<std::string>& into) {
  if (list == "usual") {
    into.insert(into.end(), crawl::kUsualSkippedExtensions.begin(),
                crawl::kUsualSkippedExtensions.end());
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

std::string switch_trap_off(const std::string& name, crawl::Options& options) {
  const std::array<Choice<bool*>, 5> guards = {{
      {"repeated_segments", &options.traps.repeated_segments},
      {"path_depth", &options.traps.path_depth},
      {"calendar", &options.traps.calendar},
      {"session_growth", &options.traps.session_growth},
      {"soft_404", &options.detects_soft_404},
  }};
  bool* guard = nullptr;
  std::string problem = choose(name, guards, guard);
  if (guard != nullptr) *guard = false;
  return problem;
}

void declare_scope(Arguments& declared, Words& words, crawl::Options& options) {
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
      "soft_404");
  declared.option("--order", taker_of(kOrders, options.order), "breadth|depth|score",
                  "which page of a host comes first [breadth]");
}

void declare_politeness(Arguments& declared, Words& words, crawl::Options& options) {
  declared.group("How fast");
  declared.option("--concurrency,--max_tasks", taker_of_number(options.concurrency, 1), "N",
                  "fetches at once [64]");
  declared.option("--host-concurrency", taker_of_number(options.politeness.host_concurrency, 1),
                  "N", "of one host [1; own machine or network: all]");
  declared.option("--delay", taker_of_optional(words.delay, taker_of_duration), "TIME",
                  "between two requests to a host [10 times what it took, 1s to 30s; own: none]");
  declared.option("--rate", taker_of_rate(options.global_gap), "N",
                  "requests per second, over all hosts");
  declared.flag("--no-robots", words.no_robots, "do not ask robots.txt, follow nofollow");
  declared.flag("--follow-nofollow", words.follow_nofollow, "follow links that say nofollow");
}

void declare_limits(Arguments& declared, Words& words, CrawlArguments& arguments) {
  crawl::Options& options = arguments.crawl;
  declared.group("How much");
  declared.option("--limit", taker_of_number(options.pages_max, 1), "N", "pages in all");
  declared.option("--quota", taker_of_optional(options.wire_bytes_max, taker_of_size), "BYTES",
                  "received in all: 500K, 10M, 2G");
  declared.option("--max-time", taker_of_optional(options.time_max, taker_of_duration), "TIME",
                  "for the crawl");
  declared.option("--max-size", taker_of_size(words.max_size), "BYTES", "of a page [64M]");
  declared.option("--host-limit", taker_of_number(options.budgets.urls_per_host_max, 1), "N",
                  "URLs of one host");
  declared.option("--path-limit", taker_of_number(options.budgets.urls_per_path_max, 1), "N",
                  "queries of one path");
  declared.option("--max-redirect,--max_redirect", taker_of_number(options.redirects_max, 0), "N",
                  "hops of one URL [10]");
  declared.option("-t,--max-tries,--max_tries", taker_of_number(options.tries_max, 1), "N",
                  "attempts at one URL [4]");
  declared.option("-T,--timeout", taker_of_duration(words.timeout), "TIME",
                  "all three: --dns-timeout, --connect-timeout, --read-timeout");
  declared.option("--dns-timeout", taker_of_duration(words.dns_timeout), "TIME",
                  "to find a host [10s]");
  declared.option("--read-timeout", taker_of_duration(words.read_timeout), "TIME",
                  "until an answer begins [30s] and goes on [20s]");
}

void declare_network_and_identity(Arguments& declared, Words& words, CrawlArguments& arguments) {
  declared.group("Who we are");
  declared.option("-U,--user-agent", words.user_agent, "TEXT",
                  "instead of " + own_user_agent() + "; its first word is our name in robots.txt");
  declared.option("--contact", words.contact, "URL|MAIL", "added to the user agent: (+URL)");
  declare_fields(declared, arguments);
  declared.option("--cookie-jar", arguments.cookie_jar, "FILE",
                  "read cookies from there and write them back");
  declared.option("--load-cookies", arguments.cookies_to_load, "FILE", "read cookies from there");
  declare_certificates(declared, arguments);
  declared.group("Network");
  declare_network(declared, arguments);
  declared.option("--threads", taker_of_number(arguments.threads, 1), "N",
                  "loops among which the sites are dealt [1]");
}

// "htp://a.example" was meant to be "http://a.example".
std::string about_scheme(const std::string& root) {
  constexpr std::array<std::string_view, 2> kSchemes = {"http", "https"};
  const std::size_t end = root.find("://");
  if (end == std::string::npos) return {};
  const std::string_view near = nearest(std::string_view(root).substr(0, end), kSchemes);
  if (near.empty() || root.substr(0, end) == near) return {};
  return fmt::format("; did you mean {}{}?", near, root.substr(end));
}

Result<void> add_roots(const Words& words, crawl::Options& options) {
  std::vector<RootText> roots;
  for (const std::string& url : words.urls) roots.push_back({.text = url, .from = {}});
  for (const std::string& path : words.input_files) {
    if (auto read = read_roots(path, roots); !read) return read;
  }
  if (roots.empty()) {
    return fail(Errc::invalid_argument, "say where to begin: gossamer crawl URL...");
  }
  for (RootText& root : roots) {
    if (auto url = crawl::parse_root(root.text); !url) {
      return fail(Errc::invalid_argument,
                  std::string(url.error().detail()) + root.from + about_scheme(root.text));
    }
    options.roots.push_back(std::move(root.text));
  }
  return {};
}

Result<void> set_scope(const Words& words, crawl::Options& options) {
  if ((words.is_strict ? 1 : 0) + (words.is_lenient ? 1 : 0) + (words.scope.empty() ? 0 : 1) > 1) {
    return fail(Errc::invalid_argument, "--scope, --strict and --lenient are one of three");
  }
  if (words.is_lenient) options.scope.kind = crawl::ScopeKind::domain;
  if (words.scope.empty()) return {};
  const std::string problem = choose(words.scope, kScopes, options.scope.kind);
  if (!problem.empty()) return fail(Errc::invalid_argument, "--scope: " + problem);
  return {};
}

void set_timeouts(const Words& words, WebOptions& web) {
  http::Deadlines& deadlines = web.client.deadlines;
  if (words.timeout > Duration::zero()) {
    web.connect.resolve_timeout = web.connect.connect_timeout = words.timeout;
    deadlines.first_byte = deadlines.idle = words.timeout;
  }
  if (words.dns_timeout > Duration::zero()) web.connect.resolve_timeout = words.dns_timeout;
  if (words.read_timeout > Duration::zero()) {
    deadlines.first_byte = deadlines.idle = words.read_timeout;
  }
}

Result<void> set_agent(const Words& words, CrawlArguments& arguments) {
  std::string agent = words.user_agent.empty() ? own_user_agent() : words.user_agent;
  const auto given = std::ranges::find_if(arguments.fields, [](const http::Field& field) {
    return base::equals_ignoring_case(field.name, "User-Agent");
  });
  if (given != arguments.fields.end()) {
    agent = given->value;
    arguments.fields.erase(given);
  }
  arguments.crawl.agent = product_token(agent);
  if (arguments.crawl.agent.empty()) {
    return fail(Errc::invalid_argument,
                "--user-agent begins with a name, by which robots.txt can call us: MyBot/1.0");
  }
  if (!words.contact.empty()) agent += " (+" + words.contact + ")";
  arguments.fields.insert(arguments.fields.begin(), {"User-Agent", std::move(agent)});
  return {};
}

Result<void> put_together(const Words& words, CrawlArguments& arguments) {
  crawl::Options& options = arguments.crawl;
  if (auto set = set_scope(words, options); !set) return set;
  if (auto added = add_roots(words, options); !added) return added;
  options.obeys_robots = !words.no_robots;
  options.obeys_nofollow = !words.no_robots && !words.follow_nofollow;
  options.politeness.delay = words.delay;
  if (words.max_size > 0) options.body_bytes_max = words.max_size;
  const std::string& cookies = arguments.cookies_to_load;
  if (!cookies.empty() && !std::ifstream(cookies)) {
    return fail(Errc::invalid_argument, "cannot read " + cookies);
  }
  set_timeouts(words, arguments.web);
  if (auto set = set_agent(words, arguments); !set) return set;
  if (auto set = settle_output(words.output, arguments); !set) return set;
  return settle_crawl(arguments);
}

}  // namespace

crawl::Hooks make_hooks(const std::shared_ptr<const CrawlFields>& secrets) {
  crawl::Hooks hooks;
  if (secrets) {
    hooks.edit_request = [secrets](http::Request& request) { secrets->edit(request); };
  }
  return hooks;
}

Result<void> settle_crawl(CrawlArguments& arguments) {
  crawl::Options& options = arguments.crawl;
  if (auto good = crawl::validate(options); !good) return good;
  auto fields = CrawlFields::make(arguments.fields);
  if (!fields) return fail(std::move(fields).error());
  WebOptions& web = arguments.web;
  for (const std::string& text : options.roots) {
    const auto root = crawl::parse_root(text);
    if (auto added = fields->add_root(*root); !added) return added;
    // Whoever types an address means it.
    web.guard.allowed_hosts.emplace_back(root->hostname());
  }
  if (auto settled = settle(arguments); !settled) return settled;
  web.client.fields = {
      {"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
      {"Accept-Encoding", std::string(wire::kAcceptEncoding)}};
  for (const http::Field& field : fields->open()) {
    std::erase_if(web.client.fields, [&field](const http::Field& known) {
      return base::equals_ignoring_case(known.name, field.name);
    });
    web.client.fields.push_back(field);
  }
  if (fields->has_secrets()) {
    arguments.secrets = std::make_shared<const CrawlFields>(std::move(*fields));
  }
  options.hooks = make_hooks(arguments.secrets);
  if (arguments.threads > kThreadsMax) {
    return fail(Errc::invalid_argument, fmt::format("--threads is at most {}", kThreadsMax));
  }
  // Never more in flight than was said, on however many loops.
  arguments.threads = std::min(arguments.threads, options.concurrency);
  options.concurrency /= arguments.threads;
  web.client.body_bytes_max = options.body_bytes_max;
  web.client.pool.exchanges_per_origin_max = options.concurrency;
  web.client.pool.idle_per_origin_max = options.concurrency;
  web.client.pool.connections_max = options.concurrency + options.concurrency / 4 + 64;
  return {};
}

std::optional<int> read_crawl_arguments(const std::vector<std::string>& given,
                                        CrawlArguments& arguments) {
  Words words;
  Arguments declared(kCommand, "Fetch every page that can be reached from the URLs, each once.");
  declare_scope(declared, words, arguments.crawl);
  declare_politeness(declared, words, arguments.crawl);
  declare_limits(declared, words, arguments);
  declare_output(declared, words.output, arguments);
  declare_network_and_identity(declared, words, arguments);
  declared.read_configuration(ConfigWorld::of_this_process());
  declared.footer(kFooter);
  if (const auto exit_code = declared.parse(given)) return exit_code;
  if (const auto exit_code = list_fields(words.output)) return exit_code;
  if (auto done = put_together(words, arguments); !done) {
    return usage_error(kCommand, done.error().detail());
  }
  return std::nullopt;
}

}  // namespace gossamer::cli
