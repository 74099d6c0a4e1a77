#pragma once

#include <sys/resource.h>

namespace gossamer::bench {

// Processor time. Unlike wall time, it does not depend on other processes on the machine.
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

// The same as one number, in nanoseconds.
double process_cpu_ns();

double wall_ns();

// Client and server have a core each, so that neither waits for the other's.
inline constexpr int kClientCore = 0;
inline constexpr int kServerCore = 1;

// Binds this thread and its future children to a core, and raises the priority of this session.
// Does nothing if there is no such core or permission. For a ChildProcess, which has its own
// session.
void claim_core(int core);

// Microseconds since boot in which a process had to wait for a processor; 0 if the kernel does not
// report it.
double cpu_pressure_us();

}  // namespace gossamer::bench
