#pragma once

#include <cstdint>
#include <string>

#include "async/task.h"
#include "bench/cluster/redis_master.h"
#include "bench/support/report.h"

namespace gossamer::bench {

// What pages cost: sums since some moment, or per page.
struct PageCosts {
  double server_us = 0;  // of the master's main thread
  double worker_us = 0;  // of this process, all threads
  double wall_us = 0;
  double calls = 0;
  double round_trips = 0;

  // Adds what a client has sent.
  void add(const redis::Client& client) {
    calls += static_cast<double>(client.counts().commands);
    round_trips += static_cast<double>(client.counts().round_trips);
  }
};

// The times until now; without a server, those of this process.
PageCosts times_so_far();
// BORROWS: the client, which asks its server.
async::Task<PageCosts> times_so_far(BenchClient& client);

PageCosts per_page(const PageCosts& begin, const PageCosts& end, std::uint64_t pages);

// Reports the costs next to those of another contestant; with the targets, if they apply.
void report_costs(const std::string& name, const PageCosts& ours, const PageCosts& floor,
                  bool has_targets, Report& report);

// A crawl as scrapy-redis does it, on a new master with a replica: pop a URL; for each link SADD,
// and LPUSH if it is new. A command for each, and a round trip for each command.
PageCosts crawl_with_list_and_set(int links, std::uint64_t pages);

}  // namespace gossamer::bench
