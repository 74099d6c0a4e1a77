// Measures the durable frontier alone: pages with a hundred new links each are finished until
// enough URLs are queued, then some of these are fetched, then another process resumes. Hosts have
// no pauses and answer immediately, so that only the frontier and its tables are measured. CPU is
// that of the process, including RocksDB's threads.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "async/monotonic.h"
#include "base/check.h"
#include "base/hash.h"
#include "bench/store/benchmarks.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/memory.h"
#include "bench/support/temporary_folder.h"
#include "frontier/frontier.h"
#include "store/page_table.h"
#include "store/rocks_tables.h"
#include "store/stored_work.h"
#include "tests/simulated/world.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

constexpr std::uint32_t kHosts = 1'000;
constexpr std::uint32_t kLinksPerPage = 100;
constexpr std::uint64_t kPages = 50'000;
constexpr std::uint64_t kMemory = 512ull * 1024 * 1024;
constexpr double kResumeMax = 20;

class Nowhere final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page /*page*/) override { co_return {}; }
};

// One process that works on a crawl directory.
struct Process {
  explicit Process(const std::string& folder) {
    auto opened = store::RocksTables::open(folder, {.memory_bytes = kMemory / 4});
    CHECK(opened.has_value(), "{}", opened.error().to_string());
    tables = std::move(*opened);
    journal = std::make_unique<store::Journal>(*tables, store::Durability::none);
    pages = std::make_unique<store::PageTable>(*journal, url::IdentityRules(), nowhere);
    work = std::make_unique<store::StoredWork>(
        *journal, store::StoredWorkOptions{.clock = {.wall_start = {.seconds = 1'700'000'000}},
                                           .heads_max = kMemory / 4 / 80});
    crawler::FrontierOptions options;
    options.needs_address = false;
    options.needs_robots = false;
    options.politeness.delay = Duration::zero();
    frontier = std::make_unique<crawler::Frontier>(world.loop(), std::move(options), nullptr,
                                                   crawler::FrontierSource{.backlog = work.get()});
  }

  void find(std::uint64_t number) {
    // Most links of a page lead to the same host.
    const std::uint64_t host = number / kLinksPerPage % kHosts;
    const std::string text = fmt::format("https://host-{}.bench.example/section/{}/page-{}.html",
                                         host, number % 7, number);
    CHECK(url.assign(text) == url::UrlFailure::none);
    crawler::Target facts;
    facts.depth = 1;
    facts.via = via;
    frontier->discover(url, base::hash64(text), std::move(facts));
  }

  // Claims one page and finishes it.
  void fetch() {
    auto claim = world.run(frontier->claim());
    CHECK(claim.has_value());
    crawler::Page page;
    page.record.url = claim->target.url;
    page.record.status = 200;
    page.record.mime = "text/html";
    CHECK(world.run(pages->put(std::move(page))).has_value());
    CHECK(!frontier->finish(std::move(*claim), crawler::HostSign::answered, std::nullopt));
    CHECK(!journal->trouble());
  }

  sim::World world = sim::World::calm();
  Nowhere nowhere;
  std::unique_ptr<store::RocksTables> tables;
  std::unique_ptr<store::Journal> journal;
  std::unique_ptr<store::PageTable> pages;
  std::unique_ptr<store::StoredWork> work;
  std::unique_ptr<crawler::Frontier> frontier;
  crawler::Referrer via{"https://host-0.bench.example/a-page-with-many-links.html"};
  url::Url url;
};

struct Cost {
  double find_us = 0;  // of a URL
  double page_us = 0;  // of a page without new links
  double page_wall_us = 0;
  double resident = 0;  // with all URLs queued
  double resume_s = 0;
  double resumed_resident = 0;
};

Cost measure(const std::string& folder, std::uint64_t urls) {
  Cost cost;
  const double before = memory_use().resident;
  {
    Process process(folder);
    double begin = process_cpu_ns();
    for (std::uint64_t i = 0; i < urls; ++i) {
      process.find(i);
      if (i % kLinksPerPage == kLinksPerPage - 1) process.journal->commit();
    }
    cost.find_us = (process_cpu_ns() - begin) / 1000 / static_cast<double>(urls);
    cost.resident = memory_use().resident - before;
    begin = process_cpu_ns();
    const Instant started = async::monotonic_now();
    for (std::uint64_t i = 0; i < kPages; ++i) process.fetch();
    cost.page_us = (process_cpu_ns() - begin) / 1000 / static_cast<double>(kPages);
    cost.page_wall_us = static_cast<double>((async::monotonic_now() - started).count()) / 1000 /
                        static_cast<double>(kPages);
    process.frontier->close();
  }
  return cost;
}

Cost resume(const std::string& folder, std::uint64_t urls) {
  Cost cost;
  const double before = memory_use().resident;
  const Instant started = async::monotonic_now();
  Process process(folder);
  process.fetch();
  cost.resume_s = std::chrono::duration<double>(async::monotonic_now() - started).count();
  cost.resumed_resident = memory_use().resident - before;
  CHECK(process.frontier->waiting() + kPages + 1 == urls, "{} wait", process.frontier->waiting());
  process.frontier->close();
  return cost;
}

}  // namespace

void durable_queue(const Options& options, Report& report) {
  std::vector<std::uint64_t> sizes = {1'000'000, 10'000'000};
  if (options.quick) sizes = {200'000};
  for (const std::uint64_t urls : sizes) {
    const TemporaryFolder folder;
    const std::string tables = folder.path() + "/tables";
    const Cost first = measure_in_child([&] { return measure(tables, urls); });
    const Cost second = measure_in_child([&] { return resume(tables, urls); });
    const std::string title = fmt::format("{} URLs wait", urls);
    const auto add = [&](std::string_view what, double value, std::string unit,
                         std::optional<double> target = {}) {
      report.add({.name = fmt::format("{}: {}", title, what),
                  .value = value,
                  .unit = std::move(unit),
                  .target = target});
    };
    add("CPU to find one", first.find_us, "us");
    add("CPU of a page that is finished", first.page_us, "us");
    add("wall time of the same", first.page_wall_us, "us");
    add("memory of the process", first.resident / 1024 / 1024, "MiB", 512);
    add("until the next process fetches a page", second.resume_s, "s", kResumeMax);
    add("memory of that process", second.resumed_resident / 1024 / 1024, "MiB", 512);
  }
}

}  // namespace gossamer::bench
