// Measures nodes of a shared crawl: the real node, its frontier and its tables, over a real Redis
// with a replica and WAIT 1. Only fetches are simulated: a page is there immediately, so that the
// frontier is the bottleneck. Next to it, the frontier of a crawl directory does the same work, and
// a list and a set do what scrapy-redis does.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "bench/cluster/benchmarks.h"
#include "bench/cluster/contestants.h"
#include "bench/cluster/page_costs.h"

namespace gossamer::bench {

void shared_nodes(const Options& options, Report& report) {
  if (redis_program().empty()) return report.heading("shared_nodes: redis-server is missing");
  report.heading("Nodes of a shared crawl, per page; floor: a list and a set");
  for (const int links : {2, 5, 15, 60}) {
    const auto per_page = static_cast<std::uint64_t>(links);
    // Each node holds up to 2,048 pages between exchanges.
    PageCounts counts = {.links = per_page,
                         .before = std::max<std::uint64_t>(2'000, 80'000 / per_page),
                         .measured = 400'000 / per_page};
    if (options.quick) counts = {.links = per_page, .before = 500, .measured = 6'000 / per_page};
    const PageCosts nodes = fetch_with_nodes(counts);
    const PageCosts local = fetch_with_directory(counts);
    const PageCosts floor = crawl_with_list_and_set(links, counts.measured / 20);
    const std::string name = fmt::format("shared_nodes/{}_links", links);
    const bool has_targets = links == 5;
    report.heading(fmt::format(
        "{} links: {:.0f} pages/s per core of the master{}, {:.0f} pages/s of wall time", links,
        1e6 / nodes.server_us, has_targets ? " (target: 20000)" : "", 1e6 / nodes.wall_us));
    report_costs(name, nodes, floor, has_targets, report);
    report.add({.name = name + "/directory", .value = local.worker_us, .unit = "us"});
    report.add({.name = name + "/worker above directory",
                .value = nodes.worker_us - local.worker_us,
                .unit = "us",
                .target = has_targets ? std::optional(25.0) : std::nullopt});
  }
}

}  // namespace gossamer::bench
