// Limits the memory of programs in tests.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace gossamer::support {

// A control group with a limit of memory, of version 1 or 2.
class MemoryGroup {
 public:
  explicit MemoryGroup(std::uint64_t bytes_max) {
    const std::string name = "gossamer-test-" + std::to_string(getpid());
    for (const auto& [folder, limit] :
         {std::pair("/sys/fs/cgroup/memory/", "memory.limit_in_bytes"),
          std::pair("/sys/fs/cgroup/", "memory.max")}) {
      std::error_code ignored;
      if (!std::filesystem::create_directory(folder + name, ignored)) continue;
      path_ = folder + name;
      const std::string file = path_ + "/" + limit;
      if (std::filesystem::exists(file, ignored)) std::ofstream(file) << bytes_max << std::flush;
      std::uint64_t now = 0;
      if (std::ifstream(file) >> now && now <= bytes_max) return;
      leave();
    }
  }
  ~MemoryGroup() { leave(); }
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;

  // Empty: there is none.
  const std::string& path() const { return path_; }
  // The beginning of a shell command that runs its program in the group.
  std::string prefix() const { return "echo $$ > " + path_ + "/cgroup.procs && exec "; }

 private:
  void leave() {
    if (!path_.empty()) rmdir(path_.c_str());
    path_.clear();
  }

  std::string path_;
};

}  // namespace gossamer::support
