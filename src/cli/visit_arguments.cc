#include "cli/visit_arguments.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

#include "cli/command.h"
#include "cli/login_arguments.h"
#include "cli/web_arguments.h"

namespace gossamer::cli {
namespace {

// Requests per second, of which the least time between two is made.
std::string take_rate(const std::string& text, Duration& gap) {
  double rate = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, rate);
  if (error != std::errc() || stop != end || !(rate >= 1e-6) || rate > 1e9) {
    return "takes requests per second, such as 5 or 0.5, not '" + text + "'";
  }
  gap = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / rate));
  return {};
}

// One time for several deadlines.
options::Value shared_timeout(std::vector<Duration*> deadlines) {
  options::Value value = options::custom("TIME", [deadlines](const std::string& text) {
    Duration time = {};
    std::string problem = options::take_time_limit(text, time);
    if (!problem.empty()) return problem;
    for (Duration* const deadline : deadlines) *deadline = time;
    return problem;
  });
  value.kind = options::Kind::duration;
  return value;
}

}  // namespace

void declare_politeness(options::Table& table, crawler::Options& settings) {
  table.group("How fast");
  table.option("--concurrency,--max_tasks", options::count(settings.concurrency, 1),
               "fetches at the same time");
  crawler::PolitenessOptions& politeness = settings.politeness;
  table.option("--host-concurrency", options::count(politeness.host_concurrency, 1), "of one host")
      .unset = "1; local hosts: all";
  table.option("--delay", options::duration(politeness.delay), "between two requests to a host")
      .unset = fmt::format("{}x response time, {} to {}; local hosts: none",
                           politeness.latency_factor, options::duration_text(politeness.delay_min),
                           options::duration_text(politeness.delay_max));
  const auto take = [&settings](const std::string& text) {
    return take_rate(text, settings.global_gap);
  };
  table.option("--rate", options::custom("N", take), "requests per second, over all hosts");
  table.flag(
      "--no-robots", [&settings] { settings.obeys_robots = settings.obeys_nofollow = false; },
      "ignore robots.txt and nofollow");
}

void declare_limits(options::Table& table, run::CrawlSettings& settings) {
  http::Deadlines& deadlines = settings.web.client.deadlines;
  net::ConnectOptions& connect = settings.web.connect;
  table.group("How much");
  table.option("--limit", options::count(settings.pages_max, 1), "pages in all");
  table.option("--quota", options::size_limit(settings.wire_bytes_max),
               "received in all: 500K, 10M, 2G");
  table.option("--max-time", options::time_limit(settings.time_max), "for the crawl");
  table.option("--max-size", options::size(settings.body_bytes_max, 1), "of a page");
  table.option("--host-limit", options::count(settings.budgets.urls_per_host_max, 1),
               "URLs of one host");
  table.option("--path-limit", options::count(settings.budgets.urls_per_path_max, 1),
               "queries of one path");
  table.option("--max-redirect,--max_redirect", options::count(settings.redirects_max),
               "hops of one URL");
  table.option("-t,--max-tries,--max_tries", options::count(settings.tries_max, 1),
               "attempts at one URL");
  table.option("--max-outage", options::duration(settings.politeness.outage_max),
               "probe a host that stopped answering for this long");
  table.option("--max-wait", options::duration(settings.politeness.wait_max),
               "skip a host whose Retry-After asks for more");
  table.option("-T,--timeout",
               shared_timeout({&connect.resolve_timeout, &connect.connect_timeout,
                               &deadlines.first_byte, &deadlines.idle}),
               "all three: --dns-timeout, --connect-timeout, --read-timeout");
  table.option("--dns-timeout", options::time_limit(connect.resolve_timeout), "to find a host");
  table
      .option("--read-timeout", shared_timeout({&deadlines.first_byte, &deadlines.idle}),
              "until a response begins, and between two pieces of it")
      .unset = fmt::format("{}, then {}", options::duration_text(deadlines.first_byte),
                           options::duration_text(deadlines.idle));
  table.option("--min-rate", options::size(deadlines.bytes_per_second_min),
               "reject responses slower than this per second, over 20 s");
}

void declare_network_and_identity(options::Table& table, CrawlArguments& arguments) {
  run::CrawlSettings& settings = arguments.crawl;
  table.group("Who we are");
  table
      .option("-U,--user-agent", options::text(settings.user_agent, "TEXT"),
              "its first word is our name in robots.txt")
      .unset = run::own_user_agent();
  table.option("--contact", options::text(settings.own_identity.contact, "URL|MAIL"),
               "added to the user agent: (+URL)");
  declare_fields(table, settings.own_identity.fields);
  declare_logins(table, settings.own_identity);
  table.option("--cookie-jar", options::file(settings.cookies.jar),
               "read cookies from there and write them back");
  table.option("--load-cookies", options::file(settings.cookies.load), "read cookies from there");
  declare_certificates(table, settings.web.tls);
  table.group("Network");
  declare_network(table, settings.web, settings.driver);
}

Result<void> settle_visits(const options::Table& table, CrawlArguments& arguments) {
  const std::string& cookies = arguments.crawl.cookies.load;
  if (!cookies.empty() && !std::ifstream(cookies)) {
    return fail(Errc::invalid_argument, cannot_read(cookies));
  }
  return settle_network(table, arguments.crawl.web);
}

}  // namespace gossamer::cli
