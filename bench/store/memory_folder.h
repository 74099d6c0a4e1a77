#pragma once

#include <string>

namespace gossamer::bench {

// A folder of our own in memory (tmpfs) where the machine has one, removed with what is in it: no
// disk is measured.
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
