#include "bench/support/samples.h"

#include "base/check.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {

double median(std::vector<double> samples) {
  CHECK(!samples.empty());
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

Disturbance::Disturbance() : begin_ns_(wall_ns()), begin_pressure_us_(cpu_pressure_us()) {}

double Disturbance::share() const {
  return (cpu_pressure_us() - begin_pressure_us_) * 1000 / (wall_ns() - begin_ns_);
}

}  // namespace gossamer::bench
