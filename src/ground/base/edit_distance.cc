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
  std::vector<std::size_t> earlier(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(earlier, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], earlier[j - 2] + 1);
    }
  }
  return row.back();
}

std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates) {
  std::string_view best;
  // More changes than these are another word, not a slip: `wait` is not `wacz`.
  std::size_t best_distance = std::min<std::size_t>((typed.size() + 1) / 3, 3) + 1;
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
