// The benchmarks of bench_store, a file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// queue_bench.cc: what a URL costs that waits on disk, and how long a crawl takes to go on.
void durable_queue(const Options& options, Report& report);

}  // namespace gossamer::bench
