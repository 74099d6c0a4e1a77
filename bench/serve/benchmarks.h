// The benchmarks of bench_serve, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// requests_bench.cc
void served_requests(const Options& options, Report& report);

}  // namespace gossamer::bench
