#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer doctor [CONNECTIONS]: which loop this machine allows, how many connections can be in
// flight, and what to raise when that is fewer than asked for.
int run_doctor_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
