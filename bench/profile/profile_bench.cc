// Where each microsecond of a page goes: a whole crawl of a documentation package from nginx, on
// epoll, sampled by perf. The time of a part is its share of the samples times the CPU of a page.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/crawl/contestants.h"
#include "bench/profile/benchmarks.h"
#include "bench/profile/parts.h"
#include "bench/profile/perf.h"
#include "bench/servers/servers.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t kAnswers = 30'000;

void report_parts(const std::string& title, double us_per_page,
                  const std::vector<SampledFunction>& functions, Report& report) {
  double all = 0;
  std::vector<double> parts(part_names().size());
  for (const SampledFunction& function : functions) {
    const auto samples = static_cast<double>(function.samples);
    parts[part_of(function)] += samples;
    all += samples;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    report.add({.name = fmt::format("{}: {}", title, part_names()[i]),
                .value = parts[i] / all * us_per_page,
                .unit = "us"});
  }
  report.add({.name = title + ": all of it", .value = us_per_page, .unit = "us"});
}

void profile_documentation(const Documentation& documentation, const Options& options,
                           Report& report) {
  const Nginx nginx{std::string(documentation.folder)};
  PageLoad load = {.server = nginx.endpoints().front(),
                   .folder = std::string(documentation.folder),
                   .root = std::string(documentation.root),
                   .pages = {}};
  load.pages = crawled_pages(load.server, load.root);
  const std::uint64_t answers = options.quick ? kAnswers / 6 : kAnswers;
  load.rounds = std::max<std::uint64_t>(1, answers / load.pages.size());

  const TemporaryFolder folder;
  const std::string file = folder.path() + "/samples";
  const FetchCost cost = measure_in_child([&] {
    FetchCost measured;
    sample_this_process(file, [&] { measured = crawl_site(load, async::DriverKind::epoll); });
    return measured;
  });
  const std::string title = fmt::format("page, {}", documentation.package);
  const auto functions = sampled_functions(file);
  if (!functions) {
    report.heading(fmt::format("{}: skipped, {}; is kernel.perf_event_paranoid more than 2?", title,
                               functions.error().detail()));
    return;
  }
  report_parts(title, cost.cpu_us_each(), *functions, report);
}

}  // namespace

void page_profile(const Options& options, Report& report) {
  if (!Nginx::is_installed() || !perf_is_installed()) {
    report.heading("page: skipped, nginx or perf is not installed");
    return;
  }
  for (const Documentation& documentation : kDocumentations) {
    if (!documentation.is_installed()) {
      report.heading(
          fmt::format("page: skipped, the package {} is not installed", documentation.package));
      continue;
    }
    profile_documentation(documentation, options, report);
  }
}

}  // namespace gossamer::bench
