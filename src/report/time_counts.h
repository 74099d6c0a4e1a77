// Counts over time, both kinds: how long things took, and when they happened.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace gossamer::report {

// How long things took: exact counts between round numbers, for people, and quantiles that are up
// to seven percent too large.
class TakenTimes {
 public:
  struct Bucket {
    Duration from = Duration::zero();
    Duration to = Duration::zero();  // not included; Duration::max(): no end
    std::uint64_t count = 0;
  };

  void add(Duration taken);

  std::uint64_t count() const noexcept { return count_; }
  Duration longest() const noexcept { return longest_; }
  Duration mean() const noexcept;
  // So that the given part of all, 0 to 1, took no longer.
  Duration quantile(double part) const;
  // From 0 on in steps of 1, 2, 5, 10 ...; empty ones at both ends are left out.
  std::vector<Bucket> buckets() const;

 private:
  // The steps from 1 ms to 50 s, and what is below and above.
  static constexpr std::size_t kRoundBuckets = 16;
  // Of a power of two so many parts, and powers of microseconds up to 2^40: twelve days.
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

// When things happened, since a beginning. The width of a step grows with the time that has passed,
// so that there are never many steps.
// BOUND: kStepsMax.
class OverTime {
 public:
  static constexpr std::size_t kStepsMax = 120;
  struct Step {
    std::uint64_t all = 0;
    std::uint64_t bad = 0;
  };

  // Before the beginning counts as at the beginning.
  void add(Duration at, bool is_bad);

  Duration width() const noexcept { return width_; }
  const std::vector<Step>& steps() const noexcept { return steps_; }

 private:
  Duration width_ = 100ms;
  std::vector<Step> steps_;
};

}  // namespace gossamer::report
