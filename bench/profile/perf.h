// Samples of the CPU time of a process, by function, from perf.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace gossamer::bench {

struct SampledFunction {
  std::uint64_t samples = 0;
  std::string object;  // "bench_profile", "libc.so.6", "[kernel.kallsyms]"
  std::string name;    // "gossamer::url::Parser::run"
};

bool perf_is_installed();

// Samples this process while `body` runs, and writes the samples to `file`.
// REQUIRES: perf_is_installed().
void sample_this_process(const std::string& file, std::move_only_function<void()> body);

// Returns the functions with samples. REQUIRES: `file` is from sample_this_process().
// Fails with Errc::denied if there are none: some machines do not allow perf, which prints why.
Result<std::vector<SampledFunction>> sampled_functions(const std::string& file);

}  // namespace gossamer::bench
