// Two kinds of histograms: durations, and events over time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace gossamer::report {

// Durations: exact counts between round numbers, for people, and quantiles that are up to seven
// percent too large.
class TakenTimes {
 public:
  struct Bucket {
    Duration from = Duration::zero();
    Duration to = Duration::zero();  // exclusive; Duration::max(): no end
    std::uint64_t count = 0;
  };

  void add(Duration taken);

  std::uint64_t count() const noexcept { return count_; }
  Duration longest() const noexcept { return longest_; }
  Duration mean() const noexcept;
  // Returns a duration that the given part of all, 0 to 1, did not exceed.
  Duration quantile(double part) const;
  // Returns buckets from 0 on in steps of 1, 2, 5, 10 ...; empty ones at both ends are omitted.
  std::vector<Bucket> buckets() const;

 private:
  // The steps from 1 ms to 50 s, and one bucket below and above.
  static constexpr std::size_t kRoundBuckets = 16;
  // The parts per power of two, and powers of microseconds up to 2^40: twelve days.
  static constexpr std::size_t kParts = 16;
  static constexpr std::size_t kPowers = 40;

  static std::size_t fine_place(Duration taken);
  static Duration fine_end(std::size_t place);

  std::array<std::uint64_t, kRoundBuckets> round_ = {};
  std::array<std::uint64_t, kPowers * kParts> fine_ = {};
  std::uint64_t count_ = 0;
  Duration sum_ = Duration::zero();
  Duration longest_ = Duration::zero();
};

// Events since a start. The width of a step grows with the time, so that there are never many
// steps.
// BOUND: kStepsMax.
class OverTime {
 public:
  static constexpr std::size_t kStepsMax = 120;
  struct Step {
    std::uint64_t all = 0;
    std::uint64_t bad = 0;
  };

  // A time before the start counts as the start.
  void add(Duration at, bool is_bad);

  Duration width() const noexcept { return width_; }
  const std::vector<Step>& steps() const noexcept { return steps_; }

 private:
  Duration width_ = 100ms;
  std::vector<Step> steps_;
};

}  // namespace gossamer::report
