// Measures HTTP, compared with the underlying libraries alone. Usage: run_benchmarks().
#include "bench/http/benchmarks.h"

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  static constexpr Benchmark kBenchmarks[] = {
      {"get pages", get_pages_from_nginx},
      {"get canned", get_from_canned_server},
      {"wait epoll", wait_on_epoll},
      {"wait io_uring", wait_on_uring},
      {"tls", tls},
      {"h2 get", get_over_http2},
      {"h2 wait", wait_over_http2},
      {"coding", codings},
#ifdef GOSSAMER_BENCH_LLHTTP
      {"head", heads},
#endif
  };
  return run_benchmarks(kBenchmarks, std::span(argv, static_cast<std::size_t>(argc)));
}
