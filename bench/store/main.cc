// Measures storage: archives and crawl directories. Usage: run_benchmarks().
#include "bench/store/benchmarks.h"

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  static constexpr Benchmark kBenchmarks[] = {
      {"archive", archive_tax},
      {"peers", keeping_peers},
      {"queue", durable_queue},
      {"seen", seen_set},
  };
  return run_benchmarks(kBenchmarks, std::span(argv, static_cast<std::size_t>(argc)));
}
