// The benchmarks of bench_crawl, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// tax_bench.cc: the cost of the engine in addition to fetching pages and finding links.
void engine_tax(const Options& options, Report& report);
// slow_bench.cc: a slow site, many concurrent pages.
void slow_site(const Options& options, Report& report);
// wait_bench.cc: the memory of fetches that wait for their first byte.
void wait_on_epoll(const Options& options, Report& report);
void wait_on_uring(const Options& options, Report& report);
// frontier_bench.cc: time and memory per URL for different numbers of URLs.
void frontier(const Options& options, Report& report);
// roots_bench.cc: time and memory per root of a long list.
void roots(const Options& options, Report& report);
// steps_bench.cc: how long one page holds the loop.
void steps(const Options& options, Report& report);
// threads_bench.cc: a crawl on two loops compared with one loop, in simulated worlds.
void threads(const Options& options, Report& report);
// tls_bench.cc: the savings from reused connections and sessions with many hosts.
void tls(const Options& options, Report& report);
// http2_bench.cc: a crawl over HTTP/2 compared with one over HTTP/1.1, of many hosts and of one.
void http2_hosts(const Options& options, Report& report);
void http2_documentation(const Options& options, Report& report);

}  // namespace gossamer::bench
