#include "base/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace gossamer::base {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // A common beginning costs nothing.
  const auto [from_a, from_b] = std::ranges::mismatch(a, b);
  a.remove_prefix(static_cast<std::size_t>(from_a - a.begin()));
  b.remove_prefix(static_cast<std::size_t>(from_b - b.begin()));
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = typed.size() / 2 + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t apart = edit_distance(typed, candidate);
    if (apart < best_distance) {
      best = candidate;
      best_distance = apart;
    }
  }
  return best;
}

}  // namespace gossamer::base
