// Measures reading pages, compared with other libraries. Usage: run_benchmarks().
#include "bench/html/benchmarks.h"

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  static constexpr Benchmark kBenchmarks[] = {
      {"links", link_extraction}, {"text", visible_text}, {"tree", page_trees},
      {"content", page_contents}, {"url", url_parsing},   {"robots", robots_and_sitemaps},
  };
  return run_benchmarks(kBenchmarks, std::span(argv, static_cast<std::size_t>(argc)));
}
