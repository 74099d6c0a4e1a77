// The benchmarks of bench_index, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// build_bench.cc
void index_building(const Options& options, Report& report);
// search_bench.cc
void index_searching(const Options& options, Report& report);
void index_searching_many(const Options& options, Report& report);
// known_items_bench.cc
void index_known_items(const Options& options, Report& report);

}  // namespace gossamer::bench
