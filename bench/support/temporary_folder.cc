#include "bench/support/temporary_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/check.h"

namespace gossamer::bench {

TemporaryFolder::TemporaryFolder()
    : path_(std::filesystem::temp_directory_path() / "gossamer-bench-XXXXXX") {
  CHECK(mkdtemp(path_.data()) != nullptr, "cannot make {}", path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(std::string_view name, std::string_view text) const {
  std::ofstream file(path_ + "/" + std::string(name), std::ios::binary);
  file << text;
  CHECK(file.good(), "cannot write {}/{}", path_, name);
}

}  // namespace gossamer::bench
