#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace gossamer::render {

// Returns the memory of a process and its descendants that is neither shared nor of files. A
// process that ends meanwhile counts nothing. BOUND: 1,000 processes. `proc` is for tests.
std::uint64_t memory_of_processes(pid_t process, const std::string& proc = "/proc");

}  // namespace gossamer::render
