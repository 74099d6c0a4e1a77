#include "store/draft_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "store/archive_files.h"

namespace gossamer::store {

DraftFile::DraftFile(const std::string& path)
    : path_(path),
      draft_(path + ".open"),
      file_(open(draft_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}

DraftFile::~DraftFile() {
  if (file_ < 0) return;
  close(file_);
  if (!is_finished_) unlink(draft_.c_str());
}

Result<void> DraftFile::write(Bytes bytes) {
  if (file_ < 0) return fail(last_error("open", draft_));
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(last_error("write", draft_));
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> DraftFile::finish() {
  if (fsync(file_) != 0) return fail(last_error("fsync", draft_));
  if (std::rename(draft_.c_str(), path_.c_str()) != 0) return fail(last_error("rename", path_));
  is_finished_ = true;
  return {};
}

}  // namespace gossamer::store
