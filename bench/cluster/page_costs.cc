#include "bench/cluster/page_costs.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "bench/support/cpu.h"

namespace gossamer::bench {

PageCosts times_so_far() {
  return {.worker_us = process_cpu_time().total_us(), .wall_us = wall_ns() / 1000};
}

async::Task<PageCosts> times_so_far(BenchClient& client) {
  PageCosts now = times_so_far();
  now.server_us = 1e6 * (co_await client.info("cpu", "used_cpu_user_main_thread") +
                         co_await client.info("cpu", "used_cpu_sys_main_thread"));
  co_return now;
}

PageCosts per_page(const PageCosts& begin, const PageCosts& end, std::uint64_t pages) {
  const auto count = static_cast<double>(pages);
  return {.server_us = (end.server_us - begin.server_us) / count,
          .worker_us = (end.worker_us - begin.worker_us) / count,
          .wall_us = (end.wall_us - begin.wall_us) / count,
          .calls = (end.calls - begin.calls) / count,
          .round_trips = (end.round_trips - begin.round_trips) / count};
}

void report_costs(const std::string& name, const PageCosts& ours, const PageCosts& floor,
                  bool has_targets, Report& report) {
  const auto add = [&](std::string_view what, std::string unit, double value, double least,
                       std::optional<double> target) {
    report.add({.name = fmt::format("{}/{}", name, what),
                .value = value,
                .unit = std::move(unit),
                .floor = least,
                .target = has_targets ? target : std::nullopt});
  };
  add("redis", "us", ours.server_us, floor.server_us, 50);
  add("worker", "us", ours.worker_us, floor.worker_us, std::nullopt);
  add("calls", "per 1k", 1000 * ours.calls, 1000 * floor.calls, 300);
  add("round_trips", "per 1k", 1000 * ours.round_trips, 1000 * floor.round_trips, 50);
}

}  // namespace gossamer::bench
