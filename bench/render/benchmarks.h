// The benchmark of bench_render.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// pages_bench.cc: pages rendered in a browser, next to puppeteer.
void rendered_pages(const Options& options, Report& report);

}  // namespace gossamer::bench
