// Measures lists of roots (-i): the cost of a root from its text to the frontier. Twice as many
// must cost twice as much, so time and memory per root must not depend on their number.
#include <fmt/format.h>
#include <malloc.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "bench/crawl/benchmarks.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "engine/page/link_intake.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "tests/simulated/world.h"

namespace gossamer::bench {
namespace {

constexpr double kSecondsMax = 3;
constexpr double kRootBytesMax = 200;
constexpr double kRootsGrowthMax = 2.5;

struct RootsCost {
  double seconds = 0;
  double bytes = 0;  // of a root
};

struct RootList {
  std::string_view name;
  crawler::ScopeKind scope;
  std::uint64_t hosts;
};

double used_heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

RootsCost measure_roots(const RootList& list, std::uint64_t count) {
  const double bytes_before = used_heap_bytes();
  crawler::Options options;
  options.scope.kind = list.scope;
  // The last comes first: the worst order for a sorted container.
  for (std::uint64_t i = count; i-- > 0;) {
    options.roots.push_back(
        fmt::format("https://h{}.bench.example/section/{}/page.html", i % list.hosts, i));
  }
  sim::World world(sim::calm_options());
  const async::Loop::Running running(world.loop());
  crawler::Frontier frontier(world.loop(), crawler::frontier_options(options, true));
  crawler::LinkIntake intake(options, options.hooks, frontier, {.this_year = 2026, .salt = 1});
  const double begin = process_cpu_ns();
  CHECK(crawler::validate(options).has_value());
  for (const std::string& text : options.roots) {
    CHECK(intake.add_root(*crawler::parse_root(text)) == crawler::Verdict::added);
  }
  return {.seconds = (process_cpu_ns() - begin) / 1e9,
          .bytes = (used_heap_bytes() - bytes_before) / static_cast<double>(count)};
}

}  // namespace

void roots(const Options& options, Report& report) {
  const std::uint64_t count = options.quick ? 100'000 : 1'000'000;
  for (const RootList& list :
       {RootList{"pages of one host", crawler::ScopeKind::page, 1},
        RootList{"folders of one host", crawler::ScopeKind::prefix, 1},
        RootList{"pages of 1,000 hosts", crawler::ScopeKind::page, 1'000},
        RootList{"sites of 1,000 hosts", crawler::ScopeKind::host, 1'000},
        RootList{"domains of 1,000 hosts", crawler::ScopeKind::domain, 1'000}}) {
    const RootsCost half = measure_in_child([&] { return measure_roots(list, count / 2); });
    const RootsCost whole = measure_in_child([&] { return measure_roots(list, count); });
    const std::string title = fmt::format("{} roots, {}", count, list.name);
    report.add({.name = title, .value = whole.seconds, .unit = "s", .target = kSecondsMax});
    report.add({.name = title + ": growth by twice as many",
                .value = whole.seconds / half.seconds,
                .unit = "",
                .target = kRootsGrowthMax});
    report.add({.name = title + ": memory of a root",
                .value = whole.bytes,
                .unit = "B",
                .target = kRootBytesMax});
  }
}

}  // namespace gossamer::bench
