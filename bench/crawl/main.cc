// What crawling costs, beside what its parts take alone. Usage: run_benchmarks().
#include "bench/crawl/benchmarks.h"

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  static constexpr Benchmark kBenchmarks[] = {
      {"tax", engine_tax},
      {"slow", slow_site},
      {"wait epoll", wait_on_epoll},
      {"wait io_uring", wait_on_uring},
      {"frontier", frontier},
      {"threads", threads},
      {"tls", tls},
      {"h2 hosts", http2_hosts},
      {"h2 documentation", http2_documentation},
      {"roots", roots},
      {"steps", steps},
  };
  return run_benchmarks(kBenchmarks, std::span(argv, static_cast<std::size_t>(argc)));
}
