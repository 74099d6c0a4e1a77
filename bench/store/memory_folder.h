#pragma once

#include <string>

namespace gossamer::bench {

// A temporary folder in memory (tmpfs) if the machine has one, so that no disk is measured. It is
// removed with its contents.
class MemoryFolder {
 public:
  MemoryFolder();
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;
  ~MemoryFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace gossamer::bench
