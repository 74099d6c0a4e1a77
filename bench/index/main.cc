// Measures building and searching an index of documentation packages. Usage: run_benchmarks().
#include "bench/index/benchmarks.h"

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  static constexpr Benchmark kBenchmarks[] = {
      {"build", index_building},
      {"search", index_searching},
      {"known", index_known_items},
      {"many", index_searching_many},
  };
  return run_benchmarks(kBenchmarks, std::span(argv, static_cast<std::size_t>(argc)));
}
