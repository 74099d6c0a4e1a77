#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bench/support/report.h"

namespace gossamer::bench {

struct Options {
  // One JSON object per figure instead of a table.
  bool json = false;
  // Fewer and shorter runs: shows that everything works, but not how fast, and checks no targets.
  bool quick = false;
  // Only benchmarks whose name contains this.
  std::string filter;
};

// One entry of a benchmark program: measures something and reports figures, whose names begin with
// its name.
struct Benchmark {
  std::string_view name;
  void (*run)(const Options& options, Report& report);
};

// main() of a benchmark program:
//   bench_NAME [--json] [--filter SUBSTRING] [--quick]
// Returns 0 after a run, whatever the figures are, and 2 if the arguments are wrong.
int run_benchmarks(std::span<const Benchmark> benchmarks, std::span<char* const> arguments);

}  // namespace gossamer::bench
