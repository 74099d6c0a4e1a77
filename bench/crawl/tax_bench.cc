// Measures the cost of the engine in addition to the necessary work: fetching pages and finding
// links. The figure is CPU microseconds per page, user and system, of one thread. All contestants
// fetch the same pages from nginx, 64 concurrently, and take turns.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/crawl/benchmarks.h"
#include "bench/crawl/contestants.h"
#include "bench/crawl/loopback_world.h"
#include "bench/servers/servers.h"
#include "bench/servers/wrk.h"
#include "bench/support/child_process.h"
#include "bench/support/samples.h"

namespace gossamer::bench {
namespace {

constexpr double kTaxUsMax = 10;
constexpr double kOfWrkMax = 3.0;
constexpr std::uint64_t kAnswers = 10'000;

struct Contestant {
  std::string name;
  std::move_only_function<FetchCost(const PageLoad&)> run;
};

// wrk, extraction, and for each driver the client and the crawl.
struct Contestants {
  static constexpr std::size_t kWrk = 0;
  static constexpr std::size_t kExtraction = 1;
  static std::size_t client_of(std::size_t driver) { return 2 + 2 * driver; }
  static std::size_t crawl_of(std::size_t driver) { return 3 + 2 * driver; }

  explicit Contestants(int wrk_seconds) {
    all.push_back(
        {"wrk", [wrk_seconds](const PageLoad& load) { return get_with_wrk(load, wrk_seconds); }});
    all.push_back({"finding links, in memory", [](const PageLoad& load) {
                     return measure_in_child([&] { return extract_links(load); });
                   }});
    add_driver(async::DriverKind::epoll);
    if (async::make_driver(async::DriverKind::io_uring)) add_driver(async::DriverKind::io_uring);
  }

  void add_driver(async::DriverKind kind) {
    const auto add = [&](std::string_view what, auto measure) {
      all.push_back(
          {fmt::format("{}, {}", what, name_of(kind)), [kind, measure](const PageLoad& load) {
             return measure_in_child([&] { return measure(load, kind); });
           }});
    };
    drivers.push_back(kind);
    add("client", get_with_client);
    add("crawl", crawl_site);
  }

  std::vector<Contestant> all;
  std::vector<async::DriverKind> drivers;
};

using Samples = std::vector<std::vector<FetchCost>>;

// Ratios are taken within a round, where the machine's speed is the same.
template <class Value>
double median_of_rounds(const Samples& samples, Value value) {
  std::vector<double> values;
  for (std::size_t round = 0; round < samples[0].size(); ++round) {
    values.push_back(value([&](std::size_t i) { return samples[i][round].cpu_us_each(); }));
  }
  return median(std::move(values));
}

double pages_per_second(const std::vector<FetchCost>& costs) {
  double best = 0;
  for (const FetchCost& cost : costs) best = std::max(best, cost.answers / cost.wall_us * 1e6);
  return best;
}

void report_tax(const std::string& title, const Contestants& contestants, const Samples& samples,
                Report& report) {
  using Us = std::move_only_function<double(std::size_t)>;
  const double wrk = median_of_rounds(samples, [](Us us) { return us(Contestants::kWrk); });
  for (std::size_t i = 0; i < contestants.all.size(); ++i) {
    Figure figure = {.name = fmt::format("{}: {}", title, contestants.all[i].name),
                     .value = median_of_rounds(samples, [i](Us us) { return us(i); }),
                     .unit = "us"};
    if (i > Contestants::kExtraction) figure.floor = wrk;
    report.add(figure);
  }
  std::string speeds;
  for (std::size_t n = 0; n < contestants.drivers.size(); ++n) {
    const std::string name = name_of(contestants.drivers[n]);
    const std::size_t client = Contestants::client_of(n);
    const std::size_t crawl = Contestants::crawl_of(n);
    report.add(
        {.name = fmt::format("{}: engine's tax, {}", title, name),
         .value = median_of_rounds(
             samples, [&](Us us) { return us(crawl) - us(client) - us(Contestants::kExtraction); }),
         .unit = "us",
         .target = kTaxUsMax});
    report.add({.name = fmt::format("{}: crawl, {}, of wrk", title, name),
                .value = median_of_rounds(samples,
                                          [&](Us us) { return us(crawl) / us(Contestants::kWrk); }),
                .unit = "",
                .target = kOfWrkMax});
    speeds +=
        fmt::format("{}{:.0f} on {}", n == 0 ? "" : ", ", pages_per_second(samples[crawl]), name);
  }
  report.heading(fmt::format("{}: pages/s of the crawl, at best: {}", title, speeds));
}

void crawl_documentation(const Documentation& documentation, const Options& options,
                         Report& report) {
  const Nginx nginx{std::string(documentation.folder)};
  PageLoad load = {.server = nginx.endpoints().front(),
                   .folder = std::string(documentation.folder),
                   .root = std::string(documentation.root),
                   .pages = {}};
  load.pages = crawled_pages(load.server, load.root);
  const std::uint64_t answers = options.quick ? kAnswers / 8 : kAnswers;
  load.rounds = std::max<std::uint64_t>(1, answers / load.pages.size());
  std::uint64_t bytes = 0;
  for (const SitePage& page : load.pages) bytes += page.bytes;
  const std::string title = fmt::format("tax, {}", documentation.package);
  report.heading(fmt::format("{}: {} URLs of {} bytes on average", title, load.pages.size(),
                             bytes / load.pages.size()));
  Contestants contestants(options.quick ? 1 : 2);
  const Samples samples = in_turns(options.quick ? 1 : 3, contestants.all.size(),
                                   [&](std::size_t i) { return contestants.all[i].run(load); });
  report_tax(title, contestants, samples, report);
}

}  // namespace

void engine_tax(const Options& options, Report& report) {
  if (!Nginx::is_installed() || !wrk_is_installed()) {
    report.heading("tax: skipped, nginx or wrk is not installed");
    return;
  }
  for (const Documentation& documentation : kDocumentations) {
    if (!documentation.is_installed()) {
      report.heading(
          fmt::format("tax: skipped, the package {} is not installed", documentation.package));
      continue;
    }
    crawl_documentation(documentation, options, report);
  }
}

}  // namespace gossamer::bench
