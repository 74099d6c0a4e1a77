#pragma once

#include <cstddef>

#include "base/random.h"
#include "base/time.h"

namespace gossamer::sim {

// The bounds of a draw, both inclusive.
template <class T>
struct Range {
  T least = {};
  T most = {};

  bool valid() const { return least <= most; }
};

inline Duration draw(const Range<Duration>& range, base::Random& random) {
  return Duration(random.between(range.least.count(), range.most.count()));
}

inline std::size_t draw(const Range<std::size_t>& range, base::Random& random) {
  return range.least + static_cast<std::size_t>(random.below(range.most - range.least + 1));
}

}  // namespace gossamer::sim
