#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/beneath.h"

namespace gossamer::store {

// Replaces a file atomically: it writes a draft in the same folder and renames it. An unfinished
// draft is removed. A device or a pipe is written directly, and a link is followed to the file that
// is replaced.
class WholeFile {
 public:
  // Checks that the file can be written, before the work starts. `mode` has the permissions of a
  // new file, before the umask. Fails with Errc::io_failed.
  static Result<WholeFile> open(const std::string& path, unsigned mode = 0666);
  // The same in a folder that may come from another person: a link of this name is replaced, not
  // followed. BORROWS: the folder, until the file is written.
  static Result<WholeFile> open_in(const Folder& folder, const std::string& name,
                                   unsigned mode = 0666);
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;
  ~WholeFile();

  const std::string& path() const { return path_; }
  // Writes the file; call it once. If it fails with Errc::io_failed, the file is unchanged, or new
  // but perhaps not durable.
  Result<void> write(std::string_view content);
  // The same in pieces. The file is complete and durable after commit(), which is called once.
  Result<void> append(std::string_view piece);
  Result<void> commit();

 private:
  // The file is `name` in the folder with the descriptor `at`.
  WholeFile(std::string path, int at, std::string name, std::string draft, int descriptor);
  static Result<WholeFile> open_draft(const std::string& path, int at, const std::string& name,
                                      unsigned mode);

  std::string path_;  // for messages
  int at_;
  std::string name_;
  std::string draft_;    // its name until it is complete; empty: none, or a device
  int descriptor_ = -1;  // -1: closed
};

}  // namespace gossamer::store
