#pragma once

#include <string>
#include <string_view>

namespace gossamer::bench {

// A new folder in the system's temporary folder; it is removed with its contents.
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
