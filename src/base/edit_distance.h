#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace gossamer::base {

// How many letters have to be put in, taken out or changed to make one text of the other
// (Levenshtein). Takes time by the product of their sizes, so for short texts only.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate that `typed` is most like; empty when none is near.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> candidates);

}  // namespace gossamer::base
