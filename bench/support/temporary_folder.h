#pragma once

#include <string>
#include <string_view>

namespace gossamer::bench {

// A folder of our own below the system's temporary one, removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }
  void write(std::string_view name, std::string_view text) const;

 private:
  std::string path_;
};

}  // namespace gossamer::bench
