// The benchmarks of bench_store, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// archive_bench.cc: a crawl with an archive, compared with one without.
void archive_tax(const Options& options, Report& report);
// peers_bench.cc: other programs that store pages.
void keeping_peers(const Options& options, Report& report);
// queue_bench.cc: the cost of a queued URL on disk, and the time to resume a crawl.
void durable_queue(const Options& options, Report& report);
// seen_bench.cc: the cost of the seen set, in memory and on disk.
void seen_set(const Options& options, Report& report);

}  // namespace gossamer::bench
