// The benchmarks of bench_store, a file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// archive_bench.cc: a crawl with an archive beside one without.
void archive_tax(const Options& options, Report& report);
// peers_bench.cc: other programs that keep what they crawl.
void keeping_peers(const Options& options, Report& report);
// queue_bench.cc: what a URL costs that waits on disk, and how long a crawl takes to go on.
void durable_queue(const Options& options, Report& report);
// seen_bench.cc: what it costs to know which URLs were seen, in memory and beyond it.
void seen_set(const Options& options, Report& report);

}  // namespace gossamer::bench
