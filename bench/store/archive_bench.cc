// Measures the cost of an archive: the same crawl with and without one, in turns, and where the CPU
// time goes. Compression may use a second core, as far as the server leaves it free: a server with
// prepared responses needs little of it, nginx more.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/crawl/contestants.h"
#include "bench/servers/servers.h"
#include "bench/store/archive_contestant.h"
#include "bench/store/benchmarks.h"
#include "bench/store/memory_folder.h"
#include "bench/store/memory_site.h"
#include "bench/support/child_process.h"
#include "bench/support/samples.h"

namespace gossamer::bench {
namespace {

constexpr double kWallRatioMax = 1.3;
constexpr std::uint64_t kAnswers = 12'000;

constexpr auto kDriver = async::DriverKind::io_uring;

// The measurements of one round, in microseconds per page.
struct Round {
  double network = 0;  // the client alone; 0 if responses are compressed, which it would not undo
  double parse = 0;    // finding links alone
  ArchivingCost without;
  ArchivingCost with;
  ArchivingCost store;  // storing alone: a difference of crawls varies by half
};

Round measure(const PageLoad& load, bool is_coded) {
  Round round;
  if (!is_coded) {
    round.network = measure_in_child([&] { return get_with_client(load, kDriver); }).cpu_us_each();
  }
  round.parse = measure_in_child([&] { return extract_links(load); }).cpu_us_each();
  round.without = measure_in_child([&] { return crawl_and_archive(load, ""); });
  {
    const MemoryFolder folder;
    round.with = measure_in_child([&] { return crawl_and_archive(load, folder.path()); });
  }
  const MemoryFolder folder;
  round.store = measure_in_child([&] { return archive_alone(load, folder.path()); });
  return round;
}

template <class Value>
double median_of(const std::vector<Round>& rounds, Value value) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(value(round));
  return median(std::move(values));
}

void report_rounds(const std::string& title, const std::vector<Round>& rounds, Report& report) {
  const auto wall = [](const ArchivingCost& cost) { return cost.wall_us / cost.pages; };
  const auto loop = [](const ArchivingCost& cost) { return cost.loop_us / cost.pages; };
  const double without = median_of(rounds, [&](const Round& r) { return wall(r.without); });
  const auto add = [&](std::string_view what, auto value, std::string unit = "us") {
    report.add({.name = fmt::format("{}: {}", title, what),
                .value = median_of(rounds, value),
                .unit = std::move(unit)});
  };
  add("wall time without", [&](const Round& r) { return wall(r.without); });
  report.add({.name = title + ": wall time with",
              .value = median_of(rounds, [&](const Round& r) { return wall(r.with); }),
              .unit = "us",
              .floor = without,
              .target = kWallRatioMax * without});
  const bool is_coded = rounds.front().network == 0;
  if (!is_coded) add("CPU, network (the client alone)", [](const Round& r) { return r.network; });
  add("CPU, parse (finding links alone)", [](const Round& r) { return r.parse; });
  add(is_coded ? "CPU, network, decoding, the engine" : "CPU, the engine's rest",
      [&](const Round& r) { return loop(r.without) - r.network - r.parse; });
  add("CPU, store (on the loop, alone)", [&](const Round& r) { return loop(r.store); });
  add("CPU, store (the kernel's writer)", [](const Round& r) {
    const ArchivingCost& with = r.with;
    return std::max(0.0, (with.process_us - with.loop_us - with.packing_us) / with.pages);
  });
  add("CPU, compress and digest", [](const Round& r) { return r.with.packing_us / r.with.pages; });
  add(
      "archive, for each page", [](const Round& r) { return r.with.archive_bytes / r.with.pages; },
      "B");
}

void measure_site(const Documentation& documentation, const async::Endpoint& server,
                  std::string_view who, bool is_coded, const Options& options, Report& report) {
  PageLoad load = {.server = server,
                   .folder = std::string(documentation.folder),
                   .root = std::string(documentation.root),
                   .pages = {}};
  load.pages = crawled_pages(load.server, load.root);
  const std::uint64_t answers = options.quick ? kAnswers / 8 : kAnswers;
  load.rounds = std::max<std::uint64_t>(1, answers / load.pages.size());
  std::uint64_t bytes = 0;
  for (const SitePage& page : load.pages) bytes += page.bytes;
  const std::string title = fmt::format("archive, {}, {}", documentation.package, who);
  report.heading(fmt::format("{}: {} URLs of {} bytes on average, per page", title,
                             load.pages.size(), bytes / load.pages.size()));
  const auto rounds =
      in_turns(options.quick ? 1 : 3, 1, [&](std::size_t) { return measure(load, is_coded); });
  report_rounds(title, rounds.front(), report);
}

}  // namespace

void archive_tax(const Options& options, Report& report) {
  if (!async::make_driver(kDriver)) {
    report.heading("archive: skipped, there is no io_uring");
    return;
  }
  for (const Documentation& documentation : kDocumentations) {
    if (!documentation.is_installed()) {
      report.heading(
          fmt::format("archive: skipped, the package {} is not installed", documentation.package));
      continue;
    }
    const std::string folder(documentation.folder);
    using Coding = MemorySite::Coding;
    measure_site(documentation, MemorySite(folder, Coding::none).endpoint(), "ready answers", false,
                 options, report);
    measure_site(documentation, MemorySite(folder, Coding::gzip).endpoint(),
                 "ready answers in gzip", true, options, report);
    if (!Nginx::is_installed()) continue;
    measure_site(documentation, Nginx(folder).endpoints().front(), "nginx", false, options, report);
  }
}

}  // namespace gossamer::bench
