#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::store {

// A file that is there whole or as it was before: its content is written beside it under another
// name, which then becomes its own. What is not written in the end leaves nothing behind. A device
// or a pipe is written as it is, and a link leads to the file that is replaced.
class WholeFile {
 public:
  // Makes sure that it can be written, so that this is known before the work. `mode` is who may
  // read and write a new file, before the umask. Fails with Errc::io_failed.
  static Result<WholeFile> open(const std::string& path, unsigned mode = 0666);
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;
  ~WholeFile();

  const std::string& path() const { return path_; }
  // Fails with Errc::io_failed; the file is then as it was before. Once.
  Result<void> write(std::string_view content);
  // The same in pieces: it is there after commit(), which is called once, and survives a power cut.
  Result<void> append(std::string_view piece);
  Result<void> commit();

 private:
  WholeFile(std::string path, std::string draft, int descriptor);

  std::string path_;
  std::string draft_;    // its name until it is whole; empty: there is none, or it is a device
  int descriptor_ = -1;  // -1: closed
};

}  // namespace gossamer::store
