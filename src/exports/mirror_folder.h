#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::exports {

// A file that is being written.
class MirrorFile {
 public:
  explicit MirrorFile(int descriptor) noexcept : descriptor_(descriptor) {}
  MirrorFile(MirrorFile&& other) noexcept;
  MirrorFile& operator=(MirrorFile&& other) noexcept;
  ~MirrorFile();

  Result<void> write(Bytes bytes);
  int descriptor() const noexcept { return descriptor_; }  // negative: it is not open

 private:
  int descriptor_;
};

// A folder for files whose names come from outside. Nothing is written but beneath it, nothing that
// is there is overwritten, and no link is followed, even if another process puts one there
// meanwhile.
//
// It is there whole or not at all: files are written into a draft, which becomes the folder in the
// end. A draft that an earlier process left behind is removed by the next one.
class MirrorFolder {
 public:
  // Made if it is not there. Fails with Errc::exists if there is something in it, and if another
  // process is writing it.
  static Result<MirrorFolder> open(const std::string& path);
  MirrorFolder(MirrorFolder&& other) noexcept;
  MirrorFolder& operator=(MirrorFolder&&) = delete;
  ~MirrorFolder();

  // Makes the folders that the name has, and the file. Fails with Errc::exists if it is there, and
  // with Errc::invalid_argument for a name that leads out of the folder or has an empty part.
  Result<MirrorFile> create(std::string_view name) const;

  // All files are written. Without it nothing is left behind. Once.
  Result<void> commit();

 private:
  MirrorFolder(std::string path, std::string draft, bool is_inside, int descriptor) noexcept
      : path_(std::move(path)),
        draft_(std::move(draft)),
        is_inside_(is_inside),
        descriptor_(descriptor) {}

  std::string path_;
  std::string draft_;  // empty: there is none any more
  bool is_inside_;     // the draft is in the folder, which was there and was empty
  int descriptor_;     // of the draft
};

}  // namespace gossamer::exports
