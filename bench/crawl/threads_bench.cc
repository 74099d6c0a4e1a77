// Compares a crawl on one loop with one on two, each with a thread and a core, in simulated worlds.
// No kernel and no other process takes part, so the effects of the loops on each other are visible.
// Every world holds the whole site; links between hosts of different loops, and all records, pass
// between the threads as in the program.
#include <fmt/format.h>
#include <malloc.h>
#include <tests/support/simulated_fleet.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/check.h"
#include "bench/crawl/benchmarks.h"
#include "bench/crawl/loopback_world.h"
#include "bench/crawl/simulated_site.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "record/page_sink.h"
#include "settings/crawl_settings.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::bench {
namespace {

constexpr std::size_t kLoopsMax = 2;
constexpr double kSpeedUpMin = 1.8;
constexpr std::size_t kThreadsHosts = 256;
constexpr std::uint64_t kPagesPerHost = 60;
constexpr std::uint32_t kThreadsAtOnce = 64;
// More than any difference of the clocks: loops wait only for work.
constexpr Duration kSlack = 10s;

struct CrewCost {
  double pages = 0;
  double wall_us = 0;
  std::array<double, kLoopsMax> cpu_us = {};  // of each loop

  double all_us() const { return cpu_us[0] + cpu_us[1]; }
  // The wall time on an idle machine.
  double busiest_us() const { return std::max(cpu_us[0], cpu_us[1]); }
};

run::CrawlSettings crew_settings(const SimulatedSite& site, std::size_t loops) {
  run::CrawlSettings settings(site.root());
  settings.scope.kind = crawler::ScopeKind::any;
  settings.concurrency = kThreadsAtOnce;
  settings.threads = static_cast<std::uint32_t>(loops);
  settings.web.guard.allow_private = true;
  return settings;
}

// Formats each record as the program does, and drops it.
class LineSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override {
    ++pages_;
    bytes_ += crawler::to_json(page.record).size();
    co_return {};
  }
  std::uint64_t pages() const { return pages_; }

 private:
  std::uint64_t pages_ = 0;
  std::uint64_t bytes_ = 0;
};

// A crawl on some loops. Each has a core, and a world with the whole site.
class Crew {
 public:
  // BORROWS: the site.
  Crew(const SimulatedSite& site, std::size_t loops)
      : site_(site),
        loops_(loops),
        fleet_(sim::calm_options(), loops, kSlack,
               [this](async::Loop& loop, std::size_t world, support::SimulatedFleet::Work work) {
                 return live(loop, world, std::move(work));
               }) {}

  CrewCost run() {
    // Keeps freed memory of the simulated network instead of returning it to the kernel and
    // allocating it again, which is not work of the crawl.
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    fleet_.live([this](async::Loop& loop) { return crawl(loop); });
    CHECK(sink_.pages() == site_.pages(), "{} pages instead of {}", sink_.pages(), site_.pages());
    cost_.pages = static_cast<double>(sink_.pages());
    return cost_;
  }

 private:
  // BORROWS: the crew and the loop.
  async::Task<void> live(async::Loop& loop, std::size_t world, support::SimulatedFleet::Work work) {
    claim_core(static_cast<int>(world));
    sim::NamedHosts names(world);
    async::Scope servers(async::OnFailure::keep_going);
    for (const SimulatedSite::Host& host : site_.hosts()) {
      names.add(host.name, host.address);
      servers.spawn(site_.serve(host));
    }
    fleet_.tell_names(names);
    const CpuTime cpu = thread_cpu_time();
    co_await work(loop);
    cost_.cpu_us[world] = (thread_cpu_time() - cpu).total_us();
    servers.cancel();
    static_cast<void>(co_await servers.join());
  }

  // BORROWS: the crew and the loop.
  async::Task<void> crawl(async::Loop& loop) {
    support::SimulatedStorage storage(static_cast<sim::SimDriver&>(loop.driver()).disk());
    support::FleetMachine machine(fleet_, storage);
    const double wall = wall_ns();
    CHECK(co_await crawl_once(crew_settings(site_, loops_), sink_, machine));
    cost_.wall_us = (wall_ns() - wall) / 1000;
  }

  const SimulatedSite& site_;
  const std::size_t loops_;
  support::SimulatedFleet fleet_;
  LineSink sink_;  // the first loop's
  CrewCost cost_;
};

}  // namespace

void threads(const Options& options, Report& report) {
  const SimulatedSite site(kThreadsHosts, options.quick ? kPagesPerHost / 6 : kPagesPerHost);
  const Disturbance disturbance;
  const auto costs = in_turns(options.quick ? 1 : 5, kLoopsMax, [&](std::size_t i) {
    return measure_in_child([&] { return Crew(site, i + 1).run(); });
  });
  const auto median_of = [&](std::size_t loops, auto value) {
    std::vector<double> values;
    for (const CrewCost& cost : costs[loops - 1]) values.push_back(value(cost) / cost.pages);
    return median(std::move(values));
  };
  const auto wall = [](const CrewCost& cost) { return cost.wall_us; };
  const auto busiest = [](const CrewCost& cost) { return cost.busiest_us(); };
  const auto all = [](const CrewCost& cost) { return cost.all_us(); };
  report.heading(fmt::format(
      "threads: {} pages of {} hosts; others took {:.0f} % of the time. Pages a second by the "
      "wall: "
      "{:.0f} on one loop, {:.0f} on two; by CPU time of the busiest loop: {:.2f} times as many",
      site.pages(), kThreadsHosts, disturbance.share() * 100, 1e6 / median_of(1, wall),
      1e6 / median_of(2, wall), median_of(1, busiest) / median_of(2, busiest)));
  const double one = median_of(1, all);
  report.add({.name = "threads: CPU per page, one loop", .value = one, .unit = "us"});
  report.add({.name = "threads: CPU per page, two loops",
              .value = median_of(2, all),
              .unit = "us",
              .floor = one});
  report.add({.name = "threads: CPU of the busiest of two, of one",
              .value = median_of(2, busiest) / one,
              .unit = "",
              .target = 1 / kSpeedUpMin});
  report.add({.name = "threads: wall of two, of one",
              .value = median_of(2, wall) / median_of(1, wall),
              .unit = "",
              .target = 1 / kSpeedUpMin});
}

}  // namespace gossamer::bench
