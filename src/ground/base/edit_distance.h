#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace gossamer::base {

// Returns how many letters must be inserted, removed, changed or swapped with their neighbour to
// turn one text into the other. The time is the product of the sizes, so use it for short texts
// only.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the candidate that is most similar to `typed`; empty if none is close.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates);

}  // namespace gossamer::base
