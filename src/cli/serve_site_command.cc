#include "cli/serve_site_command.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "async/descriptor_limit.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/signals.h"
#include "base/json.h"
#include "base/number.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/standard_output.h"
#include "cli/web_arguments.h"
#include "site/comparison.h"
#include "site/site.h"
#include "site/site_server.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kServeSiteCommand = "serve-site";
constexpr std::uint64_t kHostsMax = 254;

struct ServeSiteArguments {
  site::SiteOptions site = site::SiteOptions::demo(1);
  site::TruthOptions truth;
  async::DriverKind driver = async::DriverKind::automatic;
  std::uint64_t port = 0;
  std::uint64_t hosts = 1;
  std::uint64_t roots = 1;
  std::uint64_t pages = site.pages;
  std::uint64_t rate = 0;
  std::uint64_t cache_bytes_max = site::SiteServerOptions().cache_bytes_max;
  bool warms_up = false;
  std::optional<site::FaultLevel> faults;
  bool is_plain = false;
  bool ignores_robots = false;
  bool skips_documents = false;
  bool prints_truth = false;
  std::string compared_file;
  std::string log_file;
};

Arguments::Taker taker_of_faults(std::optional<site::FaultLevel>& faults) {
  return [&faults](const std::string& text) -> std::string {
    if (text == "none") {
      faults = site::FaultLevel::none;
    } else if (text == "some") {
      faults = site::FaultLevel::some;
    } else if (text == "many") {
      faults = site::FaultLevel::many;
    } else {
      return "is none, some or many, not '" + text + "'";
    }
    return {};
  };
}

Arguments::Taker taker_of_depth(std::optional<std::uint32_t>& depth) {
  return [&depth](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    if (text == "inf") return {};
    if (!base::parse_number(text, number) || number > 1'000'000) return "is a number or inf";
    depth = static_cast<std::uint32_t>(number);
    return {};
  };
}

Arguments::Taker taker_of_driver(async::DriverKind& driver) {
  return [&driver](const std::string& text) -> std::string {
    const auto kind = async::parse_driver_kind(text);
    if (!kind) return "is auto, io_uring or epoll, not '" + text + "'";
    driver = *kind;
    return {};
  };
}

void declare_site(Arguments& declared, ServeSiteArguments& given) {
  declared.option("--port", given.port, "N", "to listen on; 0 is any [0]");
  declared.option("--hosts", given.hosts, "N", "so many, at 127.0.0.1, 127.0.0.2, ... [1]");
  declared.option("--pages", given.pages, "N", "of each host [400]");
  declared.option("--seed", given.site.seed, "N", "of everything that is drawn [1]");
  declared.flag("--plain", given.is_plain, "nothing but pages that link to each other");
  declared.option("--delay", taker_of_duration(given.site.delay), "TIME", "before every answer");
  declared.option("--crawl-delay", taker_of_duration(given.site.crawl_delay), "TIME",
                  "in robots.txt");
  declared.option("--faults", taker_of_faults(given.faults), "none|some|many",
                  "answers that are late, cut off, or errors");
  declared.option("--rate", given.rate, "N", "a host asked for more in a second says 429");
  declared.flag("--trap", given.site.has_traps, "an endless calendar, a maze, session ids");
  declared.flag("--soft-404", given.site.has_soft_404, "what is not there is answered with 200");
  declared.option("--cache", taker_of_size(given.cache_bytes_max), "SIZE",
                  "of answers that are kept ready [64M]");
  declared.flag("--warm", given.warms_up, "make them before the first is asked for");
  declared.option("--log", given.log_file, "FILE", "write each request there, a line of JSON");
  declared.option("--loop", taker_of_driver(given.driver), "auto|io_uring|epoll",
                  "how to wait [auto]");
}

void declare_truth(Arguments& declared, ServeSiteArguments& given) {
  declared.flag("--truth", given.prints_truth, "print what there is, and serve nothing");
  declared.option("--compare", given.compared_file, "RESULTS",
                  "hold the JSONL of a crawl against that; - is standard input");
  declared.option("--roots", given.roots, "N", "the crawl begins at so many hosts [1]");
  declared.flag("--cross-hosts", given.truth.crosses_hosts, "and follows links to the others");
  declared.flag("--no-robots", given.ignores_robots, "it minds no robots.txt");
  declared.flag("--follow-nofollow", given.truth.follows_nofollow, "it follows such links");
  declared.flag("--sitemaps", given.truth.uses_sitemaps, "it reads sitemaps");
  declared.flag("--assets", given.truth.with_assets, "it fetches pictures and style sheets");
  declared.flag("--no-documents", given.skips_documents, "it skips PDF files");
  declared.option("--depth", taker_of_depth(given.truth.depth_max), "N|inf",
                  "it follows links so deep [inf]");
}

// The numbers that make sense only together. Gives what is wrong with them.
std::string settle(ServeSiteArguments& given) {
  if (given.port > 65535) return "--port: there is no such port";
  if (given.rate > 1'000'000'000) return "--rate: that is no limit";
  if (given.hosts == 0 || given.hosts > kHostsMax) return "--hosts: 1 to 254";
  if (given.roots == 0 || given.roots > given.hosts) return "--roots: 1 to the number of --hosts";
  const bool serves = !given.prints_truth && given.compared_file.empty();
  if (!serves && given.port == 0) return "the truth about which --port?";
  if (given.is_plain) {
    site::SiteOptions plain;
    plain.seed = given.site.seed;
    plain.delay = given.site.delay;
    plain.crawl_delay = given.site.crawl_delay;
    plain.has_traps = given.site.has_traps;
    plain.has_soft_404 = given.site.has_soft_404;
    given.site = plain;
  }
  given.site.pages = given.pages;
  if (given.faults) given.site.set_faults(*given.faults);
  given.truth.obeys_robots = !given.ignores_robots;
  given.truth.with_documents = !given.skips_documents;
  given.truth.roots.clear();
  for (std::uint32_t host = 0; host < given.roots; ++host) given.truth.roots.push_back(host);
  const auto valid = site::validate(given.site);
  return valid ? std::string() : std::string(valid.error().detail());
}

async::Endpoint endpoint_of(std::uint64_t host, std::uint64_t port) {
  return async::Endpoint::v4(127, 0, 0, static_cast<std::uint8_t>(host + 1),
                             static_cast<std::uint16_t>(port));
}

site::Site site_at(const ServeSiteArguments& given, std::uint64_t port) {
  site::SiteOptions options = given.site;
  options.hosts.clear();
  for (std::uint64_t host = 0; host < given.hosts; ++host) {
    options.hosts.push_back(endpoint_of(host, port).to_string());
  }
  return site::Site(std::move(options));
}

int print_truth(const ServeSiteArguments& given) {
  const site::Site site = site_at(given, given.port);
  for (const site::TruthEntry& entry : site.truth(given.truth).entries) {
    if (!print_out("{}\n", site::to_json(entry))) break;
  }
  return kOk;
}

Result<std::vector<site::CrawledUrl>> read_results(const std::string& path) {
  std::ifstream file;
  const std::string opened = path == "-" ? "/dev/stdin" : path;
  file.open(opened, std::ios::binary);
  if (!file) return fail(Errc::not_found, cannot_read(path));
  std::vector<site::CrawledUrl> crawl;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    auto crawled = site::read_crawled_url(line);
    if (!crawled) {
      return fail(std::move(crawled).error(), "in a line that begins with " + line.substr(0, 60));
    }
    crawl.push_back(std::move(*crawled));
  }
  return crawl;
}

int compare_with_truth(const ServeSiteArguments& given) {
  const auto crawl = read_results(given.compared_file);
  if (!crawl) {
    usage_error(kServeSiteCommand, crawl.error().to_string());
    return kFileFailed;
  }
  const site::Site site = site_at(given, given.port);
  const site::Comparison comparison = site::compare(site.layout(), site.truth(given.truth), *crawl);
  standard_output().write(site::describe(comparison));
  return comparison.is_equal() ? kOk : kFailed;
}

// The log: times are seconds since the server began.
class LogFile {
 public:
  explicit LogFile(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}

  bool is_open() const { return file_ != nullptr; }

  void write(const site::LogEntry& entry, Instant start) {
    const auto seconds = [start](Instant at) {
      return std::chrono::duration<double>(at - start).count();
    };
    base::JsonLine line;
    line.decimal("begun", seconds(entry.begun), 6).decimal("ended", seconds(entry.ended), 6);
    line.text("host", entry.host).text("method", entry.method).text("target", entry.target);
    line.number("status", static_cast<std::uint64_t>(entry.status));
    line.number("attempt", entry.attempt).number("connection", entry.connection);
    line.boolean("whole", entry.is_whole).text("user_agent", entry.user_agent);
    std::fputs((line.finish() + "\n").c_str(), file_.get());
  }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file_;
};

Result<std::vector<async::Listener>> bind_all(const ServeSiteArguments& given) {
  std::vector<async::Listener> listeners;
  std::uint64_t port = given.port;
  for (std::uint64_t host = 0; host < given.hosts; ++host) {
    auto listener = async::Listener::bind(endpoint_of(host, port));
    if (!listener) {
      return fail(std::move(listener).error(),
                  "while binding " + endpoint_of(host, port).to_string());
    }
    port = listener->endpoint().port;  // the others take the same
    listeners.push_back(std::move(*listener));
  }
  return listeners;
}

// BORROWS: the loop and the arguments.
async::Task<Result<void>> serve(async::Loop& loop, const ServeSiteArguments& given) {
  std::optional<LogFile> log;
  if (!given.log_file.empty()) {
    log.emplace(given.log_file);
    if (!log->is_open()) co_return fail(Errc::io_failed, cannot_write(given.log_file));
  }
  auto listeners = bind_all(given);
  if (!listeners) co_return fail(std::move(listeners).error());
  const std::uint16_t port = listeners->front().endpoint().port;
  const site::Site site = site_at(given, port);
  site::SiteServer server(site, {.cache_bytes_max = given.cache_bytes_max,
                                 .requests_per_second_max = static_cast<std::uint32_t>(given.rate),
                                 .keeps_log = false});
  if (given.warms_up) server.warm_up();
  if (log) {
    server.on_request(
        [&log, start = loop.now()](const site::LogEntry& entry) { log->write(entry, start); });
  }
  async::Scope scope(async::OnFailure::keep_going);
  auto signals =
      async::SignalWatch::make(loop, {SIGINT, SIGTERM}, [&scope](int) { scope.cancel(); });
  if (!signals) co_return fail(std::move(signals).error());
  for (async::Listener& listener : *listeners) scope.spawn(server.run(std::move(listener)));
  print_out("serving {} ({} pages on {} host{}, seed {})\n", site.root(), given.site.pages,
            given.hosts, given.hosts == 1 ? "" : "s", given.site.seed);
  // Tools wait for this line. Without it nobody knows where the site is.
  if (!standard_output().flush()) scope.cancel();
  static_cast<void>(co_await scope.join());
  print_err("served {} requests on {} connections\n", server.requests(), server.connections());
  co_return {};
}

int run_server(const ServeSiteArguments& given) {
  async::raise_descriptor_limit();
  auto driver = async::make_driver(given.driver);
  if (!driver) return usage_error(kServeSiteCommand, driver.error().to_string());
  async::Loop loop(std::move(*driver));
  const auto served = loop.run(serve(loop, given));
  if (served) return kOk;
  usage_error(kServeSiteCommand, served.error().to_string());
  return exit_code_for(served.error());
}

}  // namespace

int run_serve_site_command(const std::vector<std::string>& words) {
  ServeSiteArguments given;
  Arguments declared(kServeSiteCommand,
                     "Serve a synthetic web site on loopback, for tests and benchmarks.");
  declare_site(declared, given);
  declare_truth(declared, given);
  if (const auto exit_code = declared.parse(words)) return *exit_code;
  if (const std::string wrong = settle(given); !wrong.empty())
    return usage_error(kServeSiteCommand, wrong);
  if (given.prints_truth) return print_truth(given);
  if (!given.compared_file.empty()) return compare_with_truth(given);
  return run_server(given);
}

}  // namespace gossamer::cli
