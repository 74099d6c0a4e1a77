// Measures the memory of a crawl while all its fetches wait for the first byte of a response:
// frontier, seen set, workers, requests, connections. Meanwhile a thousand pages per second are
// fetched from servers that answer immediately. Then all fetches are answered, and the crawl must
// end by itself.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <string>
#include <utility>

#include "async/descriptor_limit.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/check.h"
#include "base/hash.h"
#include "bench/crawl/benchmarks.h"
#include "bench/crawl/loopback_world.h"
#include "bench/crawl/quick_fetches.h"
#include "bench/servers/holding_servers.h"
#include "bench/servers/servers.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/memory.h"
#include "engine/engine.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t kStep = 128;  // fewer than a server's backlog
constexpr Duration kWaitPatience = 600s;
constexpr double kBytesEachMax = 1024;
constexpr std::uint64_t kQuickPerSecond = 1'000;
constexpr std::uint32_t kQuickAtOnceMax = 256;

// The servers and the load.
struct Servers {
  const HoldingServers& slow;
  const CannedServer& quick;
  std::uint64_t fetches;        // waiting ones
  std::uint64_t quick_seconds;  // of quick ones
};

struct WaitCost {
  double fetches = 0;
  MemoryUse memory;
  double heap_bytes = 0;
  double begin_cpu_us = 0;
  double answered = 0;
  double answer_cpu_us = 0;
  QuickCost quick;
};

double heap_in_use() { return static_cast<double>(mallinfo2().uordblks); }

std::string url_of(const HoldingServers& servers, std::uint64_t number) {
  return fmt::format("http://{}/a/page/with/a/path/of/its/own/{}.html",
                     servers.endpoint_of(number).to_string(), number);
}

crawler::Options crawl_options(const HoldingServers& servers, std::uint64_t fetches) {
  crawler::Options options;
  options.roots = {url_of(servers, 0)};
  options.concurrency = static_cast<std::uint32_t>(fetches) + kQuickAtOnceMax;
  options.obeys_robots = false;                                // the servers would delay that, too
  options.politeness.concurrency_first = options.concurrency;  // no answers to wait for
  return options;
}

// Adds one page after another, as if found by links. BORROWS: all.
async::Task<Result<void>> find_pages(const HoldingServers& servers, crawler::Frontier& frontier,
                                     const http::Client& client, std::uint64_t fetches) {
  while (client.pool().open() == 0) {  // until the root is requested
    if (auto slept = co_await async::sleep(1ms); !slept) co_return slept;
  }
  url::Url url;
  const crawler::Referrer via(url_of(servers, 0));
  for (std::uint64_t i = 1; i < fetches; ++i) {
    CHECK(url.assign(url_of(servers, i)) == url::UrlFailure::none);
    crawler::Target facts;
    facts.via = via;
    facts.depth = 1;
    frontier.discover(url, base::hash64(url.href()), std::move(facts));
    const bool pause = (i + 1) % kStep == 0 || i + 1 == fetches;
    while (pause && client.pool().open() <= i) {
      if (auto slept = co_await async::sleep(1ms); !slept) co_return slept;
    }
  }
  co_return co_await async::sleep(50ms);  // the last requests are sent
}

// BORROWS: all.
async::Task<Result<void>> crawl_and_wait(const Servers& servers, WaitCost& cost) {
  const std::uint64_t fetches = servers.fetches;
  const http::Deadlines deadlines = {.first_byte = kWaitPatience, .whole = kWaitPatience};
  LoopbackWorld loopback(fetches + kQuickAtOnceMax, deadlines);
  const MemoryUse memory = memory_use();
  const double heap = heap_in_use();
  const CpuTime begin = process_cpu_time();
  crawler::Options options = crawl_options(servers.slow, fetches);
  crawler::Frontier frontier(async::Loop::current(),
                             crawler::frontier_options(options, loopback.world()));
  NotingSink sink;
  wire::CookieJar cookies;
  crawler::Engine engine(loopback.world(), std::move(options), frontier, sink, cookies);
  async::Scope scope;
  auto crawling = scope.spawn(engine.run());
  http::Client& client = loopback.client();
  if (auto found = co_await find_pages(servers.slow, frontier, client, fetches); !found) {
    co_return found;
  }
  cost.begin_cpu_us = (process_cpu_time() - begin).total_us();
  cost.heap_bytes = heap_in_use() - heap;
  cost.memory = memory_use() - memory;
  cost.fetches = static_cast<double>(engine.in_flight());
  auto quick = co_await fetch_quickly(servers.quick.endpoints(), frontier, sink, kQuickPerSecond,
                                      servers.quick_seconds);
  if (!quick) co_return fail(std::move(quick).error());
  cost.quick = *quick;
  const std::uint64_t answered_before = sink.answered();
  const CpuTime cpu = process_cpu_time();
  servers.slow.release();
  auto joined = co_await scope.join();
  cost.answer_cpu_us = (process_cpu_time() - cpu).total_us();
  cost.answered = static_cast<double>(sink.answered() - answered_before);
  client.close_idle();
  co_return joined;
}

void report_waiting(async::DriverKind kind, std::uint64_t fetches, std::uint64_t quick_seconds,
                    Report& report) {
  const HoldingServers slow(fetches, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!");
  const CannedServer quick;
  const Servers servers = {
      .slow = slow, .quick = quick, .fetches = fetches, .quick_seconds = quick_seconds};
  const WaitCost cost = measure_in_child([&] {
    async::raise_descriptor_limit();
    WaitCost measured;
    run_on(kind, crawl_and_wait(servers, measured));
    return measured;
  });
  const std::string title = fmt::format("wait {}, {} fetches", name_of(kind), cost.fetches);
  const auto add = [&](std::string_view what, double value, std::string unit,
                       std::optional<double> target = {}) {
    report.add({.name = fmt::format("{}: {}", title, what),
                .value = value,
                .unit = std::move(unit),
                .target = target});
  };
  add("memory in all", cost.memory.resident / 1e6, "MB");
  add("memory of each", cost.memory.resident / cost.fetches, "B", kBytesEachMax);
  add("heap of each", cost.heap_bytes / cost.fetches, "B");
  add("CPU to begin one", cost.begin_cpu_us / cost.fetches, "us");
  add("CPU per answer", cost.answer_cpu_us / cost.fetches, "us");
  add("not in flight", static_cast<double>(fetches) - cost.fetches, "", 0);
  add("not answered", static_cast<double>(fetches) - cost.answered, "", 0);
  add("quick ones beside them", cost.quick.per_second, "/s");
  add("quick ones, half of them within", cost.quick.median_ms, "ms");
  add("quick ones, 99 of 100 within", cost.quick.p99_ms, "ms");
  add("quick ones not answered", cost.quick.missing, "", 0);
}

}  // namespace

void wait_on_epoll(const Options& options, Report& report) {
  constexpr std::uint64_t kFetches = 19'000;
  constexpr std::uint64_t kOtherDescriptors = 64 + kQuickAtOnceMax;
  const std::uint64_t possible = async::raise_descriptor_limit().most - kOtherDescriptors;
  const std::uint64_t wanted = options.quick ? kFetches / 10 : kFetches;
  report_waiting(async::DriverKind::epoll, std::min(wanted, possible), options.quick ? 1 : 5,
                 report);
}

void wait_on_uring(const Options& options, Report& report) {
  if (!async::make_driver(async::DriverKind::io_uring)) {
    report.heading("wait io_uring: skipped, the kernel does not allow it");
    return;
  }
  report_waiting(async::DriverKind::io_uring, options.quick ? 10'000 : 200'000,
                 options.quick ? 1 : 5, report);
}

}  // namespace gossamer::bench
