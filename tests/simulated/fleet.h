#pragma once

#include <cstddef>
#include <functional>

#include "base/time.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {

// Runs `live(world, i)` for each of `count` worlds, on one thread each, all in one convoy (see
// there for `slack`). Returns when all have returned. The i-th world has the i-th seed, counted
// from the options' seed.
void run_fleet(std::size_t count, const SimOptions& options, Duration slack,
               std::move_only_function<void(World& world, std::size_t index) const> live);

}  // namespace gossamer::sim
