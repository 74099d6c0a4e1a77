// The benchmarks of bench_profile, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// profile_bench.cc: where each microsecond of a page goes.
void page_profile(const Options& options, Report& report);

}  // namespace gossamer::bench
