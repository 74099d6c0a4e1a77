// Seeded randomness: one seed gives one sequence, on every machine and in every build. Nothing here
// uses entropy of the system; the caller provides the seed.
// Do not use it for secrets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace gossamer::base {

// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014). Turns a counter,
// however regular, into numbers fit to seed another generator.
constexpr std::uint64_t splitmix64(std::uint64_t& state) noexcept {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// xoshiro256**, Blackman and Vigna: "Scrambled linear pseudorandom number generators" (2018).
// INVARIANT: not all of the state is zero.
struct Xoshiro256 {
  std::array<std::uint64_t, 4> state;

  constexpr std::uint64_t next() noexcept {
    const std::uint64_t result = rotate_left(state[1] * 5, 7) * 9;
    const std::uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate_left(state[3], 45);
    return result;
  }

 private:
  static constexpr std::uint64_t rotate_left(std::uint64_t value, int by) noexcept {
    return (value << by) | (value >> (64 - by));
  }
};

// A std::uniform_random_bit_generator. The distributions of <random> differ between libraries; the
// members here give the same values everywhere.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed) noexcept;

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }
  result_type operator()() noexcept { return engine_.next(); }
  std::uint64_t next() noexcept { return engine_.next(); }

  // Uniform in [0, bound), without bias. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [first, last], both included. REQUIRES: first <= last.
  std::int64_t between(std::int64_t first, std::int64_t last);
  // Uniform in [0, 1), a multiple of 2^-53.
  double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  // Returns true with the given probability; never for 0 or less, always for 1 or more. It draws
  // once, so that changing a probability does not shift later draws.
  bool chance(double probability) noexcept { return unit() < probability; }

  // Returns an independent stream for one part of the world. It depends only on this generator's
  // seed and the label, not on earlier draws, so an extra draw in one part does not affect another.
  // The same label gives the same stream.
  Random fork(std::string_view label) const noexcept;

  // Shuffles anything with size() and [] (a vector, an array, a span); all orders are equally
  // likely.
  template <class Items>
  void shuffle(Items&& items) {
    using std::swap;
    for (std::size_t left = items.size(); left > 1; --left) {
      swap(items[left - 1], items[below(left)]);
    }
  }

 private:
  std::uint64_t seed_;
  Xoshiro256 engine_;
};

}  // namespace gossamer::base
