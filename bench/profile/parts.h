// Assigns the functions of a crawl to parts.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "bench/profile/perf.h"

namespace gossamer::bench {

// The parts of a page's time, in the order in which a page passes them.
std::span<const std::string_view> part_names();

// Returns the part of a function; the last part is for functions without a rule.
std::size_t part_of(const SampledFunction& function);

}  // namespace gossamer::bench
