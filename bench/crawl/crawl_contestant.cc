#include <utility>

#include "base/check.h"
#include "bench/crawl/contestants.h"
#include "bench/crawl/loopback_world.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {
namespace {

// BORROWS: the load.
async::Task<Result<void>> crawl_load(const PageLoad& load) {
  run::CrawlSettings settings(load.site() + load.root);
  settings.concurrency = PageLoad::kAtOnce;
  CountingSink sink;
  auto done = co_await crawl_once(std::move(settings), sink);
  if (!done) co_return done;
  CHECK(sink.pages() == load.pages.size(), "{} pages instead of {}", sink.pages(),
        load.pages.size());
  co_return {};
}

// The first crawl, with cold caches, is not counted. BORROWS: all.
async::Task<Result<void>> crawl_again_and_again(const PageLoad& load, FetchCost& cost) {
  if (auto done = co_await crawl_load(load); !done) co_return done;
  const CpuTime cpu = process_cpu_time();
  const double wall = wall_ns();
  for (std::uint64_t i = 0; i < load.rounds; ++i) {
    if (auto done = co_await crawl_load(load); !done) co_return done;
  }
  cost = {.answers = static_cast<double>(load.answers()),
          .cpu = process_cpu_time() - cpu,
          .wall_us = (wall_ns() - wall) / 1000};
  co_return {};
}

}  // namespace

FetchCost crawl_site(const PageLoad& load, async::DriverKind driver) {
  FetchCost cost;
  run_on(driver, crawl_again_and_again(load, cost));
  return cost;
}

}  // namespace gossamer::bench
