#include "report/time_counts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gossamer::report {
namespace {

constexpr std::array<Duration, 15> kSteps = {1ms,   2ms, 5ms, 10ms, 20ms, 50ms, 100ms, 200ms,
                                             500ms, 1s,  2s,  5s,   10s,  20s,  50s};

}  // namespace

// A power of two and one of its parts: 5 us, with 16 parts of the power 4 us, is the index 2 * 16 +
// 4.
std::size_t TakenTimes::fine_place(Duration taken) {
  const auto micros = static_cast<std::uint64_t>(std::max<std::int64_t>(taken / 1us, 1));
  const auto power = static_cast<std::size_t>(std::bit_width(micros)) - 1;
  if (power >= kPowers) return kPowers * kParts - 1;
  return power * kParts +
         static_cast<std::size_t>((micros - (std::uint64_t{1} << power)) * kParts >> power);
}

Duration TakenTimes::fine_end(std::size_t place) {
  const std::uint64_t power = std::uint64_t{1} << (place / kParts);
  return 1us *
         static_cast<std::int64_t>(power + (power * (place % kParts + 1) + kParts - 1) / kParts);
}

void TakenTimes::add(Duration taken) {
  const auto step = std::ranges::upper_bound(kSteps, taken);
  ++round_[static_cast<std::size_t>(step - kSteps.begin())];
  ++fine_[fine_place(taken)];
  ++count_;
  sum_ += taken;
  longest_ = std::max(longest_, taken);
}

Duration TakenTimes::mean() const noexcept {
  return count_ == 0 ? Duration::zero() : sum_ / static_cast<std::int64_t>(count_);
}

Duration TakenTimes::quantile(double part) const {
  if (count_ == 0) return Duration::zero();
  const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count_)));
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i < fine_.size(); ++i) {
    passed += fine_[i];
    if (passed < wanted || passed == 0) continue;
    // The last bucket has no end.
    return i + 1 == fine_.size() ? longest_ : std::min(fine_end(i), longest_);
  }
  return longest_;
}

std::vector<TakenTimes::Bucket> TakenTimes::buckets() const {
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < kRoundBuckets; ++i) {
    if (buckets.empty() && round_[i] == 0) continue;
    buckets.push_back({.from = i == 0 ? Duration::zero() : kSteps[i - 1],
                       .to = i < kSteps.size() ? kSteps[i] : Duration::max(),
                       .count = round_[i]});
  }
  while (!buckets.empty() && buckets.back().count == 0) buckets.pop_back();
  return buckets;
}

void OverTime::add(Duration at, bool is_bad) {
  at = std::max(at, Duration::zero());
  while (at / width_ >= static_cast<std::int64_t>(kStepsMax)) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step step = steps_[i];
      if (i % 2 == 0) steps_[i / 2] = {};
      steps_[i / 2].all += step.all;
      steps_[i / 2].bad += step.bad;
    }
    steps_.resize((steps_.size() + 1) / 2);
    width_ *= 2;
  }
  const auto place = static_cast<std::size_t>(at / width_);
  if (place >= steps_.size()) steps_.resize(place + 1);
  ++steps_[place].all;
  if (is_bad) ++steps_[place].bad;
}

}  // namespace gossamer::report
