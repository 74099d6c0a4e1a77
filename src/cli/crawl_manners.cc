#include "cli/crawl_manners.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

#include "base/ascii.h"
#include "cli/command.h"
#include "run/crawl_fields.h"

namespace gossamer::cli {
namespace {

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

void set_timeouts(const MannerWords& words, run::WebOptions& web) {
  http::Deadlines& deadlines = web.client.deadlines;
  if (words.timeout > Duration::zero()) {
    web.connect.resolve_timeout = web.connect.connect_timeout = words.timeout;
    deadlines.first_byte = deadlines.idle = words.timeout;
  }
  if (words.dns_timeout > Duration::zero()) web.connect.resolve_timeout = words.dns_timeout;
  if (words.read_timeout > Duration::zero()) {
    deadlines.first_byte = deadlines.idle = words.read_timeout;
  }
  deadlines.bytes_per_second_min = words.min_rate;
}

Result<void> set_agent(const MannerWords& words, CrawlArguments& arguments) {
  std::string agent = words.user_agent.empty() ? run::own_user_agent() : words.user_agent;
  const auto given = std::ranges::find_if(arguments.fields, [](const http::Field& field) {
    return base::equals_ignoring_case(field.name, "User-Agent");
  });
  if (given != arguments.fields.end()) {
    agent = given->value;
    arguments.fields.erase(given);
  }
  if (run::product_token(agent).empty()) {
    return fail(Errc::invalid_argument,
                "--user-agent begins with a name, by which robots.txt can call us: MyBot/1.0");
  }
  if (!words.contact.empty()) agent += " (+" + words.contact + ")";
  arguments.crawl.user_agent = std::move(agent);
  return {};
}

}  // namespace

Arguments::Taker taker_of_depth(std::optional<std::uint32_t>& into) {
  return [take = taker_of_number(into, 0), &into](const std::string& text) mutable -> std::string {
    if (text != "inf") return take(text).empty() ? "" : "takes a number or inf, not '" + text + "'";
    into.reset();
    return {};
  };
}

void declare_politeness(Arguments& declared, MannerWords& words, crawler::Options& options) {
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
}

void declare_limits(Arguments& declared, MannerWords& words, CrawlArguments& arguments) {
  crawler::Options& options = arguments.crawl;
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
  declared.option("--max-outage", taker_of_duration(options.politeness.outage_max), "TIME",
                  "probe a host that stopped answering for this long [5m]");
  declared.option("--max-wait", taker_of_duration(options.politeness.wait_max), "TIME",
                  "skip a host whose Retry-After asks for more [1h]");
  declared.option("-T,--timeout", taker_of_duration(words.timeout), "TIME",
                  "all three: --dns-timeout, --connect-timeout, --read-timeout");
  declared.option("--dns-timeout", taker_of_duration(words.dns_timeout), "TIME",
                  "to find a host [10s]");
  declared.option("--read-timeout", taker_of_duration(words.read_timeout), "TIME",
                  "until an answer begins [30s] and goes on [20s]");
  declared.option("--min-rate", taker_of_size(words.min_rate), "BYTES",
                  "reject answers slower than this per second, over 20 s [100]");
}

void declare_network_and_identity(Arguments& declared, MannerWords& words,
                                  CrawlArguments& arguments) {
  declared.group("Who we are");
  declared.option(
      "-U,--user-agent", words.user_agent, "TEXT",
      "instead of " + run::own_user_agent() + "; its first word is our name in robots.txt");
  declared.option("--contact", words.contact, "URL|MAIL", "added to the user agent: (+URL)");
  declare_fields(declared, arguments);
  declare_logins(declared, arguments.identity);
  declared.option("--cookie-jar", arguments.crawl.cookies.jar, "FILE",
                  "read cookies from there and write them back");
  declared.option("--load-cookies", arguments.crawl.cookies.load, "FILE",
                  "read cookies from there");
  declare_certificates(declared, arguments);
  declared.group("Network");
  declare_network(declared, arguments);
}

Result<void> settle_manners(const MannerWords& words, CrawlArguments& arguments) {
  crawler::Options& options = arguments.crawl;
  options.obeys_robots = !words.no_robots;
  options.obeys_nofollow = !words.no_robots && !words.follow_nofollow;
  options.politeness.delay = words.delay;
  if (words.max_size > 0) options.body_bytes_max = words.max_size;
  const std::string& cookies = arguments.crawl.cookies.load;
  if (!cookies.empty() && !std::ifstream(cookies)) {
    return fail(Errc::invalid_argument, cannot_read(cookies));
  }
  set_timeouts(words, arguments.web);
  if (auto set = set_agent(words, arguments); !set) return set;
  return {};
}

}  // namespace gossamer::cli
