// Measures the frontier alone in a simulated world, where pauses take no time: the cost of a URL
// from its discovery to its end, and the memory of a queued one. Hosts have a second between two
// requests, and are resolved with their rules before the measurement.
#include <fmt/format.h>
#include <malloc.h>

#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "base/check.h"
#include "base/hash.h"
#include "bench/crawl/benchmarks.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "frontier/frontier.h"
#include "tests/simulated/world.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

constexpr std::uint32_t kHosts = 10'000;
constexpr std::uint32_t kWorkers = 64;
constexpr std::size_t kBatch = 1'000;
constexpr double kGrowthMax = 1.5;

struct FrontierCost {
  double discover_us = 0;  // of a URL
  double claim_us = 0;     // of claiming and finishing it
  double bytes = 0;        // of a queued URL
  double host_us = 0;      // of a host: found, resolved, rules read, one page claimed
  double host_bytes = 0;
};

// The heap in use. The growth of the process would show the same for many URLs, but hides a few in
// memory that was freed before.
double heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

// Finds URLs; only the frontier's part is measured.
class Finder {
 public:
  // BORROWS: the frontier.
  explicit Finder(crawler::Frontier& frontier) : frontier_(frontier), batch_(kBatch) {}

  // URL i is page i / kHosts of host i % kHosts, so that hosts alternate. Returns CPU nanoseconds.
  double find(std::uint64_t begin, std::uint64_t end) {
    double ns = 0;
    while (begin < end) {
      const std::size_t count = std::min<std::uint64_t>(kBatch, end - begin);
      for (std::size_t i = 0; i < count; ++i) assign(batch_[i], begin + i);
      const double start = process_cpu_ns();
      for (std::size_t i = 0; i < count; ++i) {
        crawler::Target facts;
        facts.depth = 1;
        frontier_.discover(batch_[i].url, batch_[i].fingerprint, std::move(facts));
      }
      ns += process_cpu_ns() - start;
      begin += count;
    }
    return ns;
  }

 private:
  struct Found {
    url::Url url;
    std::uint64_t fingerprint = 0;
  };

  static void assign(Found& found, std::uint64_t number) {
    const std::string text = fmt::format("https://host-{}.bench.example/section/{}/page-{}.html",
                                         number % kHosts, number % 7, number / kHosts);
    CHECK(found.url.assign(text) == url::UrlFailure::none);
    found.fingerprint = base::hash64(text);
  }

  crawler::Frontier& frontier_;
  std::vector<Found> batch_;
};

// Ends every claim immediately, as if each host answered without delay. BORROWS: the frontier.
async::Task<Result<void>> work(crawler::Frontier& frontier) {
  for (;;) {
    auto claim = co_await frontier.claim();
    if (!claim) co_return {};
    switch (claim->work) {
      case crawler::Work::resolve: {
        const auto host = base::hash64(claim->origin());
        frontier.resolved(std::move(*claim),
                          async::Endpoint::v4(20, static_cast<std::uint8_t>(host >> 16),
                                              static_cast<std::uint8_t>(host >> 8),
                                              static_cast<std::uint8_t>(host), 0),
                          false);
        break;
      }
      case crawler::Work::robots: frontier.has_rules(std::move(*claim), {}, 0s); break;
      case crawler::Work::page:
        CHECK(!frontier.finish(std::move(*claim), crawler::HostSign::answered, std::nullopt));
        break;
    }
  }
}

// BORROWS: all.
async::Task<Result<void>> drive(crawler::Frontier& frontier, std::uint64_t urls,
                                FrontierCost& cost) {
  Finder finder(frontier);
  async::Scope workers;
  const double empty = heap_bytes();
  double ns = finder.find(0, kHosts);
  double begin = process_cpu_ns();
  for (std::uint32_t i = 0; i < kWorkers; ++i) workers.spawn(work(frontier));
  if (auto idle = co_await frontier.join(); !idle) co_return idle;
  cost.host_us = (process_cpu_ns() - begin + ns) / 1000 / kHosts;
  const double prepared = heap_bytes();
  cost.host_bytes = (prepared - empty) / kHosts;

  const auto count = static_cast<double>(urls);
  ns = finder.find(kHosts, kHosts + urls);
  cost.discover_us = ns / 1000 / count;
  cost.bytes = (heap_bytes() - prepared) / count;
  begin = process_cpu_ns();
  if (auto idle = co_await frontier.join(); !idle) co_return idle;
  cost.claim_us = (process_cpu_ns() - begin) / 1000 / count;
  frontier.close();
  co_return co_await workers.join();
}

FrontierCost measure(std::uint64_t urls) {
  FrontierCost cost;
  sim::World world = sim::World::calm();
  crawler::Frontier frontier(world.loop(), {.salt = 1});
  const auto done = world.run(drive(frontier, urls, cost));
  CHECK(done.has_value(), "{}", done.error().to_string());
  return cost;
}

}  // namespace

void frontier(const Options& options, Report& report) {
  std::vector<std::uint64_t> sizes = {10'000, 100'000, 1'000'000};
  if (options.quick) sizes.pop_back();
  std::optional<double> least_us;
  std::optional<double> least_bytes;
  for (const std::uint64_t urls : sizes) {
    const FrontierCost cost = measure_in_child([urls] { return measure(urls); });
    const std::string title = fmt::format("frontier, {} URLs of {} hosts", urls, kHosts);
    const auto add = [&](std::string_view what, double value, std::string unit,
                         std::optional<double> floor = {}) {
      Figure figure = {.name = fmt::format("{}: {}", title, what),
                       .value = value,
                       .unit = std::move(unit),
                       .floor = floor};
      if (floor) figure.target = kGrowthMax * *floor;
      report.add(std::move(figure));
    };
    const double us = cost.discover_us + cost.claim_us;
    add("CPU per URL", us, "us", least_us);
    add("of this, to discover it", cost.discover_us, "us");
    add("memory of one that waits", cost.bytes, "B", least_bytes);
    add("CPU per host", cost.host_us, "us");
    add("memory per host", cost.host_bytes, "B");
    if (!least_us) least_us = us;
    if (!least_bytes) least_bytes = cost.bytes;
  }
}

}  // namespace gossamer::bench
