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

// A folder for files whose names come from outside. It writes only inside the folder, overwrites
// nothing and follows no links, even if another process adds one meanwhile.
//
// The folder appears complete or not at all: files are written to a draft, which becomes the folder
// at the end. The next process removes a draft that an earlier one left.
class MirrorFolder {
 public:
  // Creates the folder if necessary. Fails with Errc::exists if it is not empty or if another
  // process is writing it.
  static Result<MirrorFolder> open(const std::string& path);
  MirrorFolder(MirrorFolder&& other) noexcept;
  MirrorFolder& operator=(MirrorFolder&&) = delete;
  ~MirrorFolder();

  // Creates the file and its parent folders. Fails with Errc::exists if the file exists, and with
  // Errc::invalid_argument if the name leads out of the folder or has an empty part.
  Result<MirrorFile> create(std::string_view name) const;

  // Removes a file that create() made.
  void remove(std::string_view name) const;

  // Call it once, after all files are written. Without it the draft is removed.
  Result<void> commit();

 private:
  MirrorFolder(std::string path, std::string draft, bool is_inside, int descriptor) noexcept
      : path_(std::move(path)),
        draft_(std::move(draft)),
        is_inside_(is_inside),
        descriptor_(descriptor) {}

  std::string path_;
  std::string draft_;  // empty: it is done
  bool is_inside_;     // the draft is inside the folder, which existed and was empty
  int descriptor_;     // of the draft
};

}  // namespace gossamer::exports
