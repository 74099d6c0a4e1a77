// Pages rendered in a browser, with 1, 2 and 4 tabs: by our renderer, which answers every request
// of the browser itself, and by puppeteer, which lets the browser load them: a new tab for each
// each page, as crawlee does it, and with tabs that are used again. All find the same links, and
// take a page as ready after half a second without requests. The figures are the time per page.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "bench/render/benchmarks.h"
#include "bench/render/own_pages.h"
#include "bench/render/tree_memory.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/support/temporary_folder.h"
#include "render/browser_process.h"

namespace gossamer::bench {
namespace {

const std::string kFolder = GOSSAMER_SOURCE_DIR "/bench/render";
const std::string kModules = GOSSAMER_BENCH_MODULES;
constexpr double kStartNsMax = 60e9;
// Of puppeteer's time: what answering every request may cost, and what a new tab costs at least.
constexpr double kReusedShare = 0.8;
constexpr double kNewShare = 1.5;
constexpr double kOwnCpuMsMax = 5;

enum class Contestant : std::size_t { fresh_tabs, reused_tabs, own };
constexpr std::size_t kContestants = 3;

struct Sample {
  double wall_ms = 0;  // per page
  double own_cpu_ms = 0;
  double all_cpu_ms = 0;
  double memory_mib = 0;
};

// Installs the packages of npm, unless they are there.
bool has_modules() {
  const std::string done = kModules + "/installed";
  if (std::filesystem::exists(done)) return true;
  const std::string npm = find_program("npm");
  if (npm.empty() || find_program("node").empty()) return false;
  std::filesystem::create_directories(kModules);
  for (const char* file : {"package.json", "package-lock.json"}) {
    std::filesystem::copy_file(kFolder + "/" + file, kModules + "/" + file,
                               std::filesystem::copy_options::overwrite_existing);
  }
  auto installing = ChildProcess::execute({npm, "ci", "--prefix", kModules, "--ignore-scripts",
                                           "--no-audit", "--no-fund", "--fetch-retries=0"},
                                          kServerCore);
  if (!installing.wait().well) return false;
  std::ofstream(done) << "";
  return true;
}

// Waits for the port that a server prints.
std::string origin_of(const std::string& output) {
  const double begin = wall_ns();
  for (;;) {
    CHECK(wall_ns() - begin < kStartNsMax, "the server does not start");
    std::string port;
    if (std::getline(std::ifstream(output), port) && !port.empty()) {
      return "http://127.0.0.1:" + port;
    }
    usleep(10'000);
  }
}

// Becomes another program on both cores, as a browser would use them.
int become(std::vector<std::string> command, const std::string& output) {
  CHECK(std::freopen(output.c_str(), "w", stdout) != nullptr);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  return 127;
}

int run_contestant(Contestant which, const RenderLoad& load, const std::string& output) {
  if (which == Contestant::own) {
    const RenderCost cost = render_own(load);
    std::ofstream(output) << cost.wall_ms << ' ' << cost.own_cpu_ms;
    return 0;
  }
  const auto browser = render::find_browser();
  return become({find_program("node"), kFolder + "/puppeteer.mjs", kModules, *browser, load.origin,
                 which == Contestant::fresh_tabs ? "new" : "reused", std::to_string(load.tabs),
                 std::to_string(load.pages)},
                output);
}

Sample measure(Contestant which, const RenderLoad& load) {
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/output";
  ChildProcess child = ChildProcess::run([&] { return run_contestant(which, load, output); });
  const TreeMemory memory;
  const ChildProcess::Ended ended = child.wait();
  CHECK(ended.well, "a contestant failed");
  const auto pages = static_cast<double>(load.pages);
  Sample sample;
  std::ifstream(output) >> sample.wall_ms >> sample.own_cpu_ms;
  sample.wall_ms /= pages;
  sample.own_cpu_ms /= pages;
  sample.all_cpu_ms = cpu_time(ended.usage).total_us() / 1e3 / (pages + double(load.tabs));
  sample.memory_mib = memory.peak_mib();
  return sample;
}

double median_of(const std::vector<Sample>& samples, double Sample::*value) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.*value);
  return median(std::move(values));
}

void report_tabs(const std::string& name, const std::vector<std::vector<Sample>>& samples,
                 Report& report) {
  const auto& fresh = samples[std::size_t(Contestant::fresh_tabs)];
  const auto& reused = samples[std::size_t(Contestant::reused_tabs)];
  const auto& own = samples[std::size_t(Contestant::own)];
  const double fresh_ms = median_of(fresh, &Sample::wall_ms);
  const double reused_ms = median_of(reused, &Sample::wall_ms);
  report.add(
      {.name = name + "puppeteer, a new tab for each page", .value = fresh_ms, .unit = "ms"});
  report.add({.name = name + "puppeteer, tabs used again", .value = reused_ms, .unit = "ms"});
  report.add({.name = name + "gossamer",
              .value = median_of(own, &Sample::wall_ms),
              .unit = "ms",
              .floor = reused_ms,
              .target = std::min(fresh_ms / kNewShare, reused_ms / kReusedShare)});
  report.add({.name = name + "gossamer, CPU of all processes",
              .value = median_of(own, &Sample::all_cpu_ms),
              .unit = "ms",
              .floor = median_of(reused, &Sample::all_cpu_ms)});
  report.add({.name = name + "gossamer, CPU without the browser",
              .value = median_of(own, &Sample::own_cpu_ms),
              .unit = "ms",
              .target = kOwnCpuMsMax});
  const double fresh_mib = median_of(fresh, &Sample::memory_mib);
  report.add({.name = name + "gossamer, memory of all processes",
              .value = median_of(own, &Sample::memory_mib),
              .unit = "MiB",
              .floor = fresh_mib,
              .target = fresh_mib});
}

}  // namespace

void rendered_pages(const Options& options, Report& report) {
  if (!render::find_browser() || !has_modules()) {
    std::fputs("render: a browser, node or packages of npm are not installed\n", stderr);
    return;
  }
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/port";
  const auto server = ChildProcess::execute(
      {find_program("node"), kFolder + "/pages.mjs", kModules}, kServerCore, output);
  const std::string origin = origin_of(output);
  report.heading("A rendered page: an app of React with 40 links");
  for (const std::uint64_t tabs : {1, 2, 4}) {
    const RenderLoad load = {
        .origin = origin, .tabs = tabs, .pages = (options.quick ? 4 : 10) * tabs};
    const auto samples = in_turns(options.quick ? 1 : 3, kContestants, [&](std::size_t which) {
      return measure(static_cast<Contestant>(which), load);
    });
    report_tabs(fmt::format("render/{} tabs/", tabs), samples, report);
  }
}

}  // namespace gossamer::bench
