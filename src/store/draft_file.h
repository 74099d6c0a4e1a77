#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::store {

// A file that is there whole or not at all: written under another name, synced, renamed. If it is
// not finished it leaves nothing. All of this blocks: not for a loop's thread.
class DraftFile {
 public:
  explicit DraftFile(const std::string& path);
  ~DraftFile();
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;

  Result<void> write(std::string_view text) { return write(as_bytes(text)); }
  Result<void> write(Bytes bytes);
  Result<void> finish();

 private:
  const std::string path_;
  const std::string draft_;
  const int file_;
  bool is_finished_ = false;
};

}  // namespace gossamer::store
