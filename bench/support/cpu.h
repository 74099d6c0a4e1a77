#pragma once

#include <sys/resource.h>

namespace gossamer::bench {

// Processor time: what a measurement costs whoever else uses the machine meanwhile, unlike the
// time on the wall.
struct CpuTime {
  double user_us = 0;
  double system_us = 0;

  double total_us() const { return user_us + system_us; }
  friend CpuTime operator-(const CpuTime& end, const CpuTime& begin) {
    return {end.user_us - begin.user_us, end.system_us - begin.system_us};
  }
};

CpuTime cpu_time(const rusage& usage);
CpuTime process_cpu_time();  // all threads, also those the kernel runs for an io_uring
CpuTime thread_cpu_time();

// The same as one number, to the nanosecond.
double process_cpu_ns();

double wall_ns();

// Client and server get a core each, so that neither is measured waiting for the other.
inline constexpr int kClientCore = 0;
inline constexpr int kServerCore = 1;

// Binds this thread, and what it will start, to a core, and asks that this session's processes be
// run before others. Where there is no such core or no such right, it does without. For a
// ChildProcess, which has a session of its own.
void claim_core(int core);

// Microseconds since the machine was started in which somebody had to wait for a processor; 0
// where the kernel does not tell.
double cpu_pressure_us();

}  // namespace gossamer::bench
