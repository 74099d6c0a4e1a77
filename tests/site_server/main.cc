// Serves the synthetic site of src/faces/site on loopback, for tests and benchmarks, and compares
// crawls with it. Manual: docs/site.md.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/descriptor_limit.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/signals.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time.h"
#include "site/comparison.h"
#include "site/site.h"
#include "tests/site_server/site_server.h"
#include "tests/site_server/test_sites.h"
#include "tests/site_server/truth_lines.h"

namespace gossamer::site {
namespace {

constexpr int kUnequal = 1;
constexpr int kUsage = 2;
constexpr int kFileFailed = 3;
constexpr std::uint64_t kHostsMax = 254;

struct Arguments {
  SiteOptions site = SiteOptions::demo(1);
  TruthOptions truth;
  async::DriverKind driver = async::DriverKind::automatic;
  std::uint64_t port = 0;
  std::uint64_t hosts = 1;
  std::uint64_t roots = 1;
  std::uint64_t pages = site.pages;
  std::uint64_t rate = 0;
  std::uint64_t cache_bytes_max = SiteServerOptions().cache_bytes_max;
  bool warms_up = false;
  std::optional<FaultLevel> faults;
  bool is_plain = false;
  bool ignores_robots = false;
  bool skips_documents = false;
  bool prints_truth = false;
  std::string compared_file;
  std::string log_file;
};

bool read_size(std::string text, std::uint64_t& bytes) {
  const std::size_t unit = text.empty() ? std::string::npos : std::string("KMG").find(text.back());
  if (unit != std::string::npos) text.pop_back();
  if (!base::parse_number(text, bytes) || bytes > 1'000'000'000) return false;
  for (std::size_t i = 0; unit != std::string::npos && i <= unit; ++i) bytes *= 1000;
  return true;
}

bool read_duration(const std::string& text, Duration& duration) {
  const auto read = base::parse_duration(text);
  if (read) duration = *read;
  return read.has_value();
}

bool read_faults(const std::string& text, std::optional<FaultLevel>& faults) {
  if (text == "none") faults = FaultLevel::none;
  if (text == "some") faults = FaultLevel::some;
  if (text == "many") faults = FaultLevel::many;
  return faults.has_value();
}

bool read_depth(const std::string& text, std::optional<std::uint32_t>& depth) {
  std::uint64_t number = 0;
  if (text == "inf") return true;
  if (!base::parse_number(text, number) || number > 1'000'000) return false;
  depth = static_cast<std::uint32_t>(number);
  return true;
}

bool read_driver(const std::string& text, async::DriverKind& driver) {
  const auto kind = async::parse_driver_kind(text);
  if (kind) driver = *kind;
  return kind.has_value();
}

std::map<std::string, bool*> switches(Arguments& given) {
  return {{"--plain", &given.is_plain},
          {"--trap", &given.site.has_traps},
          {"--soft-404", &given.site.has_soft_404},
          {"--warm", &given.warms_up},
          {"--truth", &given.prints_truth},
          {"--cross-hosts", &given.truth.crosses_hosts},
          {"--no-robots", &given.ignores_robots},
          {"--follow-nofollow", &given.truth.follows_nofollow},
          {"--sitemaps", &given.truth.uses_sitemaps},
          {"--assets", &given.truth.with_assets},
          {"--no-documents", &given.skips_documents}};
}

using Reader = std::function<bool(const std::string& text)>;

// What takes a value. Each reader says whether it could read it.
std::map<std::string, Reader> options(Arguments& given) {
  const auto number = [](std::uint64_t& into) -> Reader {
    return [&into](const std::string& text) { return base::parse_number(text, into); };
  };
  const auto duration = [](Duration& into) -> Reader {
    return [&into](const std::string& text) { return read_duration(text, into); };
  };
  const auto name = [](std::string& into) -> Reader {
    return [&into](const std::string& text) { return !(into = text).empty(); };
  };
  return {
      {"--port", number(given.port)},
      {"--hosts", number(given.hosts)},
      {"--pages", number(given.pages)},
      {"--seed", number(given.site.seed)},
      {"--rate", number(given.rate)},
      {"--roots", number(given.roots)},
      {"--delay", duration(given.site.delay)},
      {"--crawl-delay", duration(given.site.crawl_delay)},
      {"--log", name(given.log_file)},
      {"--compare", name(given.compared_file)},
      {"--faults", [&](const std::string& text) { return read_faults(text, given.faults); }},
      {"--depth", [&](const std::string& text) { return read_depth(text, given.truth.depth_max); }},
      {"--cache", [&](const std::string& text) { return read_size(text, given.cache_bytes_max); }},
      {"--loop", [&](const std::string& text) { return read_driver(text, given.driver); }}};
}

// Returns what is wrong with the words; empty: nothing.
std::string parse(std::span<const std::string> words, Arguments& given) {
  const auto flags = switches(given);
  const auto readers = options(given);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto flag = flags.find(words[i]); flag != flags.end()) {
      *flag->second = true;
      continue;
    }
    const auto reader = readers.find(words[i]);
    if (reader == readers.end()) return "unknown option " + words[i] + "; see docs/site.md";
    if (++i == words.size()) return reader->first + " requires a value";
    if (!reader->second(words[i])) return reader->first + ": cannot read '" + words[i] + "'";
  }
  return {};
}

// Makes the options agree with each other. Returns what is wrong with them; empty: nothing.
std::string complete(Arguments& given) {
  if (given.port > 65535) return "--port: must be at most 65535";
  if (given.rate > 1'000'000'000) return "--rate: must be at most 1000000000";
  if (given.hosts == 0 || given.hosts > kHostsMax) return "--hosts: 1 to 254";
  if (given.roots == 0 || given.roots > given.hosts) return "--roots: 1 to the number of --hosts";
  const bool serves = !given.prints_truth && given.compared_file.empty();
  if (!serves && given.port == 0) return "the truth about which --port?";
  if (given.is_plain) {
    SiteOptions plain;
    plain.seed = given.site.seed;
    plain.delay = given.site.delay;
    plain.crawl_delay = given.site.crawl_delay;
    plain.has_traps = given.site.has_traps;
    plain.has_soft_404 = given.site.has_soft_404;
    given.site = plain;
  }
  given.site.pages = given.pages;
  if (given.faults) set_faults(given.site, *given.faults);
  given.truth.obeys_robots = !given.ignores_robots;
  given.truth.with_documents = !given.skips_documents;
  given.truth.roots.clear();
  for (std::uint32_t host = 0; host < given.roots; ++host) given.truth.roots.push_back(host);
  const auto valid = validate(given.site);
  return valid ? std::string() : std::string(valid.error().detail());
}

async::Endpoint endpoint_of(std::uint64_t host, std::uint64_t port) {
  return async::Endpoint::v4(127, 0, 0, static_cast<std::uint8_t>(host + 1),
                             static_cast<std::uint16_t>(port));
}

Site site_at(const Arguments& given, std::uint64_t port) {
  SiteOptions options = given.site;
  options.hosts.clear();
  for (std::uint64_t host = 0; host < given.hosts; ++host) {
    options.hosts.push_back(endpoint_of(host, port).to_string());
  }
  return Site(std::move(options));
}

int complain(const std::string& text) {
  fmt::print(stderr, "site_server: {}\n", text);
  return kUsage;
}

int print_truth(const Arguments& given) {
  const Site site = site_at(given, given.port);
  for (const TruthEntry& entry : site.truth(given.truth).entries) {
    fmt::print("{}\n", to_json(entry));
  }
  return 0;
}

Result<std::vector<CrawledUrl>> read_results(const std::string& path) {
  std::ifstream file;
  file.open(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  if (!file) return fail(Errc::not_found, "cannot read " + path);
  std::vector<CrawledUrl> crawl;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    auto crawled = read_crawled_url(line);
    if (!crawled) {
      return fail(std::move(crawled).error(), "in a line that begins with " + line.substr(0, 60));
    }
    crawl.push_back(std::move(*crawled));
  }
  return crawl;
}

int compare_with_truth(const Arguments& given) {
  const auto crawl = read_results(given.compared_file);
  if (!crawl) {
    complain(crawl.error().to_string());
    return kFileFailed;
  }
  const Site site = site_at(given, given.port);
  const Comparison comparison = compare(site.layout(), site.truth(given.truth), *crawl);
  fmt::print("{}", describe(comparison));
  return comparison.is_equal() ? 0 : kUnequal;
}

// The log: times are seconds since the server began.
class LogFile {
 public:
  explicit LogFile(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}

  bool is_open() const { return file_ != nullptr; }

  void write(const LogEntry& entry, Instant start) {
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

Result<std::vector<async::Listener>> bind_all(const Arguments& given) {
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
async::Task<Result<void>> serve(async::Loop& loop, const Arguments& given) {
  std::optional<LogFile> log;
  if (!given.log_file.empty()) {
    log.emplace(given.log_file);
    if (!log->is_open()) co_return fail(Errc::io_failed, "cannot write " + given.log_file);
  }
  auto listeners = bind_all(given);
  if (!listeners) co_return fail(std::move(listeners).error());
  const std::uint16_t port = listeners->front().endpoint().port;
  const Site site = site_at(given, port);
  SiteServer server(site, {.cache_bytes_max = given.cache_bytes_max,
                           .requests_per_second_max = static_cast<std::uint32_t>(given.rate),
                           .keeps_log = false});
  if (given.warms_up) server.warm_up();
  if (log) {
    server.on_request(
        [&log, start = loop.now()](const LogEntry& entry) { log->write(entry, start); });
  }
  async::Scope scope(async::OnFailure::keep_going);
  auto signals =
      async::SignalWatch::make(loop, {SIGINT, SIGTERM}, [&scope](int) { scope.cancel(); });
  if (!signals) co_return fail(std::move(signals).error());
  for (async::Listener& listener : *listeners) scope.spawn(server.run(std::move(listener)));
  fmt::print("serving {} ({} pages on {} host{}, seed {})\n", site.root(), given.site.pages,
             given.hosts, given.hosts == 1 ? "" : "s", given.site.seed);
  // Tools wait for this line. Without it nobody knows where the site is.
  if (std::fflush(stdout) != 0) scope.cancel();
  static_cast<void>(co_await scope.join());
  fmt::print(stderr, "served {} requests on {} connections\n", server.requests(),
             server.connections());
  co_return {};
}

int run_server(const Arguments& given) {
  async::raise_descriptor_limit();
  auto driver = async::make_driver(given.driver);
  if (!driver) return complain(driver.error().to_string());
  async::Loop loop(std::move(*driver));
  const auto served = loop.run(serve(loop, given));
  if (served) return 0;
  complain(served.error().to_string());
  return served.error() == Errc::io_failed ? kFileFailed : kUnequal;
}

int run(std::span<const std::string> words) {
  Arguments given;
  if (const std::string wrong = parse(words, given); !wrong.empty()) return complain(wrong);
  if (const std::string wrong = complete(given); !wrong.empty()) return complain(wrong);
  if (given.prints_truth) return print_truth(given);
  if (!given.compared_file.empty()) return compare_with_truth(given);
  return run_server(given);
}

}  // namespace
}  // namespace gossamer::site

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  const int exit_code = gossamer::site::run(given);
  return std::fflush(stdout) == 0 ? exit_code : gossamer::site::kFileFailed;
}
