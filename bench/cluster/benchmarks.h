// The benchmarks of bench_cluster, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// nodes_bench.cc: the cost of a page in nodes and in Redis, compared with a crawl directory.
void shared_nodes(const Options& options, Report& report);
// pages_bench.cc: the cost of a page in the functions of Redis, compared with a list and a set.
void shared_pages(const Options& options, Report& report);
// memory_bench.cc: the memory of seen and queued URLs in Redis.
void shared_memory(const Options& options, Report& report);

}  // namespace gossamer::bench
