#include "bench/store/memory_folder.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "base/check.h"

namespace gossamer::bench {

MemoryFolder::MemoryFolder() {
  constexpr const char* kInMemory = "/dev/shm";
  const bool is_there = access(kInMemory, W_OK) == 0;
  path_ = is_there ? std::string(kInMemory) : std::filesystem::temp_directory_path().string();
  path_ += "/gossamer-bench-XXXXXX";
  CHECK(mkdtemp(path_.data()) != nullptr, "cannot make {}", path_);
}

MemoryFolder::~MemoryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gossamer::bench
