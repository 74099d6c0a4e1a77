#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gossamer::bench {

// REQUIRES: not empty.
double median(std::vector<double> samples);

// How much other processes disturb a measurement: the share of the time in which a process had to
// wait for a processor. Ours never wait, because each has its own core.
class Disturbance {
 public:
  static constexpr double kQuietMax = 0.1;

  Disturbance();
  double share() const;

 private:
  double begin_ns_;
  double begin_pressure_us_;
};

// Runs contestant(0) ... contestant(count - 1), round after round, and returns `rounds` samples of
// each. They take turns, so that a change of the machine's speed affects all of them. While others
// disturb, there are up to twice as many rounds, and the quietest samples are used.
template <class Contestant>
auto in_turns(std::size_t rounds, std::size_t count, Contestant&& contestant) {
  using Value = decltype(contestant(count));
  struct Sample {
    double disturbance;
    Value value;
  };
  std::vector<std::vector<Sample>> samples(count);
  std::size_t quiet_rounds = 0;
  for (std::size_t round = 0; round < 2 * rounds && quiet_rounds < rounds; ++round) {
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Disturbance disturbance;
      Value value = contestant(i);
      samples[i].push_back({disturbance.share(), value});
      worst = std::max(worst, disturbance.share());
    }
    if (worst <= Disturbance::kQuietMax) ++quiet_rounds;
  }
  std::vector<std::vector<Value>> quietest(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::ranges::sort(samples[i], {}, &Sample::disturbance);
    for (std::size_t n = 0; n < rounds; ++n) quietest[i].push_back(samples[i][n].value);
  }
  return quietest;
}

}  // namespace gossamer::bench
