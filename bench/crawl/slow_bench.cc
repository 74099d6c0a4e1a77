// Fetches many pages of a slow site concurrently, to show that waiting is free.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "async/descriptor_limit.h"
#include "base/check.h"
#include "bench/crawl/benchmarks.h"
#include "bench/crawl/loopback_world.h"
#include "bench/crawl/slow_site.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {
namespace {

constexpr Duration kDelay = 200ms;
constexpr std::uint32_t kAtOnce = 5'000;
constexpr double kShareMin = 0.9;

// Microseconds per page, between two pages.
struct SlowCost {
  double wall_us = 0;
  double cpu_us = 0;
  double denied_us = 0;  // it was ready, but other processes had its core
};

SlowCost costs_so_far() {
  double ran_ns = 0;
  double denied_ns = 0;
  std::ifstream("/proc/thread-self/schedstat") >> ran_ns >> denied_ns;
  return {.wall_us = wall_ns() / 1000,
          .cpu_us = process_cpu_time().total_us(),
          .denied_us = denied_ns / 1000};
}

// Measures between the first pages, which open the connections, and the last, when fewer than
// kAtOnce are left.
class MeasuringSink final : public crawler::PageSink {
 public:
  static constexpr std::uint64_t kEdge = std::uint64_t{3} * kAtOnce;

  // REQUIRES: pages > 2 * kEdge.
  explicit MeasuringSink(std::uint64_t pages) : end_(pages - kEdge) {}

  async::Task<Result<void>> put(crawler::Page page) override {
    CHECK(page.record.status == 200, "{}: {}", page.record.url, page.record.error);
    ++pages_;
    if (pages_ == kEdge) at_begin_ = costs_so_far();
    if (pages_ == end_) at_end_ = costs_so_far();
    co_return {};
  }

  SlowCost cost() const {
    CHECK(pages_ >= end_, "there were but {} pages", pages_);
    const auto pages = static_cast<double>(end_ - kEdge);
    return {.wall_us = (at_end_.wall_us - at_begin_.wall_us) / pages,
            .cpu_us = (at_end_.cpu_us - at_begin_.cpu_us) / pages,
            .denied_us = (at_end_.denied_us - at_begin_.denied_us) / pages};
  }

 private:
  const std::uint64_t end_;
  std::uint64_t pages_ = 0;
  SlowCost at_begin_;
  SlowCost at_end_;
};

// BORROWS: the sink.
async::Task<Result<void>> crawl(std::vector<std::string> roots, MeasuringSink& sink) {
  run::CrawlSettings settings;
  settings.roots = std::move(roots);
  settings.concurrency = kAtOnce;
  co_return co_await crawl_once(std::move(settings), sink);
}

void report_slow_site(async::DriverKind kind, std::uint32_t pages_per_host, Report& report) {
  const SlowSite site(kDelay, pages_per_host);
  const std::uint64_t pages = site.hosts().size() * pages_per_host;
  const SlowCost cost = measure_in_child([&] {
    async::raise_descriptor_limit();
    MeasuringSink sink(pages);
    run_on(kind, crawl(site.roots(), sink));
    return sink.cost();
  });
  const double ideal_us = static_cast<double>(kDelay / 1us) / kAtOnce;
  const double core_us = cost.cpu_us + cost.denied_us;
  const double possible_us = std::max(ideal_us, core_us);
  const std::string title = fmt::format("slow, {}", name_of(kind));
  report.heading(fmt::format(
      "{}: {:.0f} pages/s; possible were {:.0f}, the bound being {}, of which others took {:.0f} %",
      title, 1e6 / cost.wall_us, 1e6 / possible_us,
      core_us > ideal_us ? "the core" : "the delay, not the core",
      100 * cost.denied_us / cost.wall_us));
  report.add({.name = title + ": time per page",
              .value = cost.wall_us,
              .unit = "us",
              .floor = possible_us,
              .target = possible_us / kShareMin});
  report.add({.name = title + ": CPU per page", .value = cost.cpu_us, .unit = "us"});
}

}  // namespace

void slow_site(const Options& options, Report& report) {
  const std::uint32_t pages_per_host = options.quick ? 6'000 : 12'000;
  report_slow_site(async::DriverKind::epoll, pages_per_host, report);
  if (!async::make_driver(async::DriverKind::io_uring)) {
    report.heading("slow, io_uring: skipped, the kernel does not allow it");
    return;
  }
  report_slow_site(async::DriverKind::io_uring, pages_per_host, report);
}

}  // namespace gossamer::bench
