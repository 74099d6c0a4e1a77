// For tests: which processes there are.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace gossamer::support {

// Returns the processes that this one started, those that they started, and so on.
std::vector<pid_t> descendants_of(pid_t process);

// Whether it has not ended.
bool is_running(pid_t process);

// The words of its command line.
std::string command_line_of(pid_t process);

// While it lives, processes whose parents ended are children of this one, so that descendants_of()
// finds whatever is left.
class OrphanKeeper {
 public:
  OrphanKeeper();
  ~OrphanKeeper();
  OrphanKeeper(const OrphanKeeper&) = delete;
  OrphanKeeper& operator=(const OrphanKeeper&) = delete;
};

}  // namespace gossamer::support
