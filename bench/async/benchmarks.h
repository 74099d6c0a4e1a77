#pragma once

#include "bench/support/options.h"

// The benchmarks of the runtime.
namespace gossamer::bench {

// step_benchmark.cc: the cost of its steps without any I/O.
void steps_of_the_loop(const Options& options, Report& report);

// post_benchmark.cc: how long another thread waits for the loop.
void post_round_trip(const Options& options, Report& report);

// fetch_benchmark.cc: CPU per GET of a 10 KB page, compared with a plain epoll loop and wrk.
void fetch_from_nginx(const Options& options, Report& report);
void fetch_from_canned_server(const Options& options, Report& report);

// wait_benchmark.cc: the memory of waiting connections, compared with threads.
void wait_on_epoll(const Options& options, Report& report);
void wait_on_uring(const Options& options, Report& report);
void wait_in_a_thread_each(const Options& options, Report& report);

}  // namespace gossamer::bench
