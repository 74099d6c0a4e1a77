// The benchmarks of bench_http, one file each.
#pragma once

#include "bench/support/options.h"

namespace gossamer::bench {

// get_bench.cc: CPU per GET, compared with a bare loop of our runtime and libcurl.
void get_pages_from_nginx(const Options& options, Report& report);
void get_from_canned_server(const Options& options, Report& report);
// wait_bench.cc: the memory of exchanges that wait for their first byte.
void wait_on_epoll(const Options& options, Report& report);
void wait_on_uring(const Options& options, Report& report);
// tls_bench.cc
void tls(const Options& options, Report& report);
// http2_bench.cc: CPU per GET over TLS, compared with h2load and libcurl, and memory.
void get_over_http2(const Options& options, Report& report);
void wait_over_http2(const Options& options, Report& report);
// coding_bench.cc
void codings(const Options& options, Report& report);
// head_bench.cc, if llhttp is installed
void heads(const Options& options, Report& report);

}  // namespace gossamer::bench
