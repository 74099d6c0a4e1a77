// What the functions of a crawl are for.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "bench/profile/perf.h"

namespace gossamer::bench {

// The parts a page's time is told by, in the order in which a page meets them.
std::span<const std::string_view> part_names();

// The number of the part that a function belongs to; the last part is for what no rule knows.
std::size_t part_of(const SampledFunction& function);

}  // namespace gossamer::bench
