#include "base/random.h"

#include "base/check.h"
#include "base/hash.h"

namespace gossamer::base {
namespace {

// The authors' advice: fill the state from splitmix64, whose outputs are never all zero.
Xoshiro256 seeded(std::uint64_t seed) noexcept {
  Xoshiro256 engine = {};
  for (std::uint64_t& word : engine.state) word = splitmix64(seed);
  return engine;
}

}  // namespace

Random::Random(std::uint64_t seed) noexcept : seed_(seed), engine_(seeded(seed)) {}

// Lemire: "Fast random integer generation in an interval" (2019). The high half of a 128-bit
// product is the result; the few low halves that would favour some results are drawn again.
std::uint64_t Random::below(std::uint64_t bound) {
  CHECK(bound > 0);
  using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t surplus = (0 - bound) % bound;  // 2^64 mod bound
    while (static_cast<std::uint64_t>(product) < surplus) {
      product = static_cast<Wide>(next()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

std::int64_t Random::between(std::int64_t first, std::int64_t last) {
  CHECK(first <= last);
  // In unsigned arithmetic, where the width of the widest range does not overflow but wraps to 0.
  const auto start = static_cast<std::uint64_t>(first);
  const std::uint64_t count = static_cast<std::uint64_t>(last) - start + 1;
  return static_cast<std::int64_t>(start + (count == 0 ? next() : below(count)));
}

Random Random::fork(std::string_view label) const noexcept { return Random(hash64(label, seed_)); }

}  // namespace gossamer::base
