#include "settings/visit_arguments.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

#include "options/config_file.h"
#include "settings/login_arguments.h"
#include "settings/web_arguments.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

// Parses requests per second and stores the least time between two.
std::string take_rate(const std::string& text, Duration& gap) {
  double rate = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, rate);
  if (error != std::errc() || stop != end || !(rate >= 1e-6) || rate > 1e9) {
    return "expected requests per second, such as 5 or 0.5, not '" + text + "'";
  }
  gap = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / rate));
  return {};
}

// Sets several deadlines to one value.
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

void declare_politeness(options::Table& table, run::CrawlSettings& settings) {
  table.group("Speed");
  table.option("concurrency,max_tasks", options::count(settings.concurrency, 1),
               "run at most N fetches concurrently", Concern::machine, Power::none);
  crawler::PolitenessOptions& politeness = settings.politeness;
  table
      .option("host-concurrency",
              with_hosts(options::count(politeness.host_concurrency, 1), settings.own_identity,
                         [](run::HostSettings& host) {
                           return options::count(host.options.concurrency, 1);
                         }),
              "run at most N fetches of one host concurrently", Concern::effort, Power::none)
      .unset = "1; local hosts: all";
  table
      .option(
          "delay",
          with_hosts(options::duration(politeness.delay), settings.own_identity,
                     [](run::HostSettings& host) { return options::duration(host.options.delay); }),
          "pause between requests to one host", Concern::effort, Power::none)
      .unset = fmt::format("{}x response time, {} to {}; local hosts: none",
                           politeness.latency_factor, options::duration_text(politeness.delay_min),
                           options::duration_text(politeness.delay_max));
  const auto take = [&settings](const std::string& text) {
    return take_rate(text, settings.global_gap);
  };
  table.option("rate", options::custom("N", take),
               "send at most N requests per second to all hosts together", Concern::effort,
               Power::none);
  table.flag(
      "no-robots", [&settings] { settings.obeys_robots = settings.obeys_nofollow = false; },
      "ignore robots.txt and nofollow", Concern::crawl, Power::none);
}

void declare_limits(options::Table& table, run::CrawlSettings& settings) {
  http::Deadlines& deadlines = settings.web.client.deadlines;
  net::ConnectOptions& connect = settings.web.connect;
  table.group("Limits");
  table.option("limit", options::count(settings.pages_max, 1), "stop after N URLs", Concern::effort,
               Power::none);
  table.option("quota", options::size_limit(settings.wire_bytes_max),
               "stop after receiving this much: 500K, 10M, 2G", Concern::machine, Power::none);
  table.option("max-time", options::time_limit(settings.time_max), "stop after TIME",
               Concern::machine, Power::none);
  table
      .option("max-size", options::size(settings.body_bytes_max, 1), "cut off larger bodies",
              Concern::crawl, Power::none)
      .unset = fmt::format("{} for pages, none for other files",
                           options::size_text(crawler::kParsedBodyBytesMax));
  table.option("host-limit", options::count(settings.budgets.urls_per_host_max, 1),
               "fetch at most N URLs of one host", Concern::crawl, Power::none);
  table.option("path-limit", options::count(settings.budgets.urls_per_path_max, 1),
               "fetch at most N queries of one path", Concern::crawl, Power::none);
  table.option("max-redirect,max_redirect", options::count(settings.redirects_max),
               "follow at most N redirects of one URL", Concern::crawl, Power::none);
  table.option("t,max-tries,max_tries", options::count(settings.tries_max, 1),
               "try each URL at most N times", Concern::effort, Power::none);
  table.option("max-outage", options::duration(settings.politeness.outage_max),
               "give up on a host after it is silent for TIME", Concern::effort, Power::none);
  table.option("max-wait", options::duration(settings.politeness.wait_max),
               "skip a host whose Retry-After is longer", Concern::effort, Power::none);
  table.option("T,timeout",
               shared_timeout({&connect.resolve_timeout, &connect.connect_timeout,
                               &deadlines.first_byte, &deadlines.idle}),
               "set `dns-timeout`, `connect-timeout` and `read-timeout`", Concern::effort,
               Power::none);
  table.option("dns-timeout", options::time_limit(connect.resolve_timeout),
               "wait at most TIME for the DNS", Concern::effort, Power::none);
  table
      .option("read-timeout", shared_timeout({&deadlines.first_byte, &deadlines.idle}),
              "wait at most TIME for a response or for more of it", Concern::effort, Power::none)
      .unset = fmt::format("{}, then {}", options::duration_text(deadlines.first_byte),
                           options::duration_text(deadlines.idle));
  table.option("min-rate", options::size(deadlines.bytes_per_second_min),
               "reject responses below this rate per second, over 20 s", Concern::effort,
               Power::none);
}

void declare_network_and_identity(options::Table& table, CrawlArguments& arguments) {
  run::CrawlSettings& settings = arguments.crawl;
  table.group("Identity");
  table
      .option("U,user-agent", options::text(settings.user_agent, "TEXT"),
              "set the user agent; robots.txt uses its first word", Concern::crawl, Power::none)
      .unset = run::own_user_agent();
  table.option("contact", options::text(settings.own_identity.contact, "URL|MAIL"),
               "add contact information to the user agent: (+URL)", Concern::crawl, Power::none);
  declare_fields(table,
                 with_hosts(field_value(settings.own_identity.fields), settings.own_identity,
                            [](run::HostSettings& host) { return field_value(host.fields); }));
  declare_logins(table, settings.own_identity);
  table.option("cookie-jar", options::file(settings.cookies.jar),
               "read cookies from FILE and write them back", Concern::machine, Power::write_files);
  table.option("load-cookies", options::file(settings.cookies.load), "read cookies from FILE",
               Concern::machine, Power::read_files);
  declare_certificates(table, settings.web.tls);
  table.group("Network");
  declare_network(table, settings.web, settings.driver);
}

Result<void> complete_visits(const options::Table& table, CrawlArguments& arguments) {
  const std::string& cookies = arguments.crawl.cookies.load;
  if (!cookies.empty() && !std::ifstream(cookies)) {
    return fail(Errc::invalid_argument, options::cannot_read(cookies));
  }
  return complete_network(table, arguments.crawl.web);
}

}  // namespace gossamer::settings
