#include "bench/support/cpu.h"

#include <sched.h>
#include <time.h>

#include <fstream>
#include <string>

namespace gossamer::bench {

namespace {

constexpr int kPriority = -10;

double microseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

CpuTime usage_of(int who) {
  rusage usage = {};
  getrusage(who, &usage);
  return cpu_time(usage);
}

double clock_ns(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

}  // namespace

CpuTime cpu_time(const rusage& usage) {
  return {microseconds(usage.ru_utime), microseconds(usage.ru_stime)};
}

CpuTime process_cpu_time() { return usage_of(RUSAGE_SELF); }
CpuTime thread_cpu_time() { return usage_of(RUSAGE_THREAD); }

double process_cpu_ns() { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }
double wall_ns() { return clock_ns(CLOCK_MONOTONIC); }

void claim_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<unsigned>(core), &cores);
  sched_setaffinity(0, sizeof(cores), &cores);
  setpriority(PRIO_PROCESS, 0, kPriority);
  // If the scheduler groups processes by session, the call above orders only those of one session;
  // this orders sessions.
  std::ofstream("/proc/self/autogroup") << kPriority;
}

double cpu_pressure_us() {
  // "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345"
  std::ifstream file("/proc/pressure/cpu");
  std::string line;
  std::getline(file, line);
  const std::size_t equals = line.rfind('=');
  return equals == line.npos ? 0 : std::stod(line.substr(equals + 1));
}

}  // namespace gossamer::bench
