#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::base {

// How many letters have to be put in, taken out or changed to make one text of the other
// (Levenshtein). Takes time by the product of their sizes, so for short texts only.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace gossamer::base
