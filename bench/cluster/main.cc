// Measures the frontier in Redis that several nodes share. Usage: run_benchmarks().
#include "bench/cluster/benchmarks.h"

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  static constexpr Benchmark kBenchmarks[] = {
      {"shared_nodes", shared_nodes},
      {"shared_pages", shared_pages},
      {"shared_memory", shared_memory},
  };
  return run_benchmarks(kBenchmarks, std::span(argv, static_cast<std::size_t>(argc)));
}
