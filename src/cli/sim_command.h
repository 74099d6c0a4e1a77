#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer sim chat [--seed N] [--runs N]: seeded runs of a program in the simulated world, from
// seed N on. A run that goes wrong prints its seed, which replays it.
int run_sim_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
