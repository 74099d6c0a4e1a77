// The benchmarks of bench_crawl, a file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// tax_bench.cc: what the engine adds to fetching pages and finding their links.
void engine_tax(const Options& options, Report& report);
// slow_bench.cc: a site that takes its time, many pages at once.
void slow_site(const Options& options, Report& report);
// wait_bench.cc: the memory of fetches that wait for their first byte.
void wait_on_epoll(const Options& options, Report& report);
void wait_on_uring(const Options& options, Report& report);
// frontier_bench.cc: time and memory per URL, the more there are.
void frontier(const Options& options, Report& report);
// roots_bench.cc: time and memory per root of a long list.
void roots(const Options& options, Report& report);
// steps_bench.cc: how long one page holds the loop.
void steps(const Options& options, Report& report);
// threads_bench.cc: one crawl on two loops beside one on one, in simulated worlds.
void threads(const Options& options, Report& report);
// tls_bench.cc: what kept connections and sessions save on many hosts.
void tls(const Options& options, Report& report);

}  // namespace gossamer::bench
