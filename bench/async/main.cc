// Measures the runtime, compared with the least possible cost. Usage: see run_benchmarks().
#include <cstddef>
#include <span>

#include "bench/async/benchmarks.h"

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  static constexpr Benchmark kBenchmarks[] = {
      {"step", steps_of_the_loop},
      {"post", post_round_trip},
      {"fetch canned", fetch_from_canned_server},
      {"fetch nginx", fetch_from_nginx},
      {"wait epoll", wait_on_epoll},
      {"wait io_uring", wait_on_uring},
      {"wait threads", wait_in_a_thread_each},
  };
  return run_benchmarks(kBenchmarks, std::span(argv, static_cast<std::size_t>(argc)));
}
