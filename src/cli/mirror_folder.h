#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::cli {

// A file that is being written.
class MirrorFile {
 public:
  explicit MirrorFile(int descriptor) noexcept : descriptor_(descriptor) {}
  MirrorFile(MirrorFile&& other) noexcept;
  MirrorFile& operator=(MirrorFile&& other) noexcept;
  ~MirrorFile();

  Result<void> write(Bytes bytes);

 private:
  int descriptor_;
};

// A folder for files whose names come from outside. Nothing is written but beneath it, nothing that
// is there is overwritten, and no link is followed, also if somebody puts one there meanwhile.
class MirrorFolder {
 public:
  // Made if it is not there. Fails with Errc::exists if there is something in it.
  static Result<MirrorFolder> open(const std::string& path);
  MirrorFolder(MirrorFolder&& other) noexcept;
  MirrorFolder& operator=(MirrorFolder&&) = delete;
  ~MirrorFolder();

  // Makes the folders that the name has, and the file. Fails with Errc::exists if it is there, and
  // with Errc::invalid_argument for a name that leads out of the folder or has an empty part.
  Result<MirrorFile> create(std::string_view name) const;

 private:
  explicit MirrorFolder(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace gossamer::cli
