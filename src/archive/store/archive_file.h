#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "store/beneath.h"
#include "store/warc_walk.h"

namespace gossamer::store {

// Reads an archive file from any offset. The file may be unfinished: then its name ends in ".open".
class ArchiveFile {
 public:
  ArchiveFile() = default;
  ArchiveFile(const ArchiveFile&) = delete;
  ArchiveFile& operator=(const ArchiveFile&) = delete;
  ~ArchiveFile();

  Result<void> open(const std::string& path, std::uint64_t offset);
  // Opens a file beneath a folder, and follows no link.
  Result<void> open_in(const Folder& folder, const std::string& name, std::uint64_t offset);
  // Returns the next piece; empty at the end. BORROWS: until the next call.
  Result<Bytes> read();

 private:
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;
  std::string buffer_ = std::string(64 * 1024, '\0');
};

// Opens a file of a folder with archives. Neither the file may be a link, nor the folder `archive`
// of a crawl directory. Fails with the error of the system.
Result<FileHandle> open_in_folder(const std::string& path);

// Walks the records of a file from an offset. Extents count from there.
Result<void> walk_from(const std::string& path, std::uint64_t offset, RecordVisitor& visitor);
// The same for a file in the archive of a crawl directory. Neither the folder nor the file may be a
// link.
Result<void> walk_in(const std::string& folder, const std::string& name, std::uint64_t offset,
                     RecordVisitor& visitor);

}  // namespace gossamer::store
