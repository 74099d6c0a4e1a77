#pragma once

#include <string>
#include <vector>

#include "bench/servers/answer.h"

namespace gossamer::bench {

bool wrk_is_installed();

// Runs wrk on the client's core with one thread and these arguments. Ends the program if it fails.
// REQUIRES: wrk_is_installed().
FetchCost run_wrk(std::vector<std::string> arguments, int seconds);

}  // namespace gossamer::bench
