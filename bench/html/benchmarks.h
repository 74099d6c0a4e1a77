// The benchmarks of bench_html, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// html_bench.cc
void link_extraction(const Options& options, Report& report);
void visible_text(const Options& options, Report& report);
// tree_bench.cc
void page_trees(const Options& options, Report& report);
// content_bench.cc
void page_contents(const Options& options, Report& report);
// url_bench.cc
void url_parsing(const Options& options, Report& report);
// robots_bench.cc
void robots_and_sitemaps(const Options& options, Report& report);

}  // namespace gossamer::bench
