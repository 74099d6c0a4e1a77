// Keeps two processes from replacing the same index.
#pragma once

#include <string>

#include "base/result.h"

namespace gossamer::index {

// A lock on a file beside the index, which stays there. Processes that add pages share it. A
// process that replaces the index has it alone: it would take the file away from the others.
// Readers need no lock.
class IndexLock {
 public:
  // Fails with Errc::unavailable if another process replaces the index, or with the error of the
  // system.
  static Result<IndexLock> share(const std::string& index_path);
  // Fails with Errc::unavailable if another process writes the index, or with the error of the
  // system.
  static Result<IndexLock> take(const std::string& index_path);

  IndexLock() = default;
  IndexLock(IndexLock&& other) noexcept;
  IndexLock& operator=(IndexLock&& other) noexcept;
  ~IndexLock();

 private:
  static Result<IndexLock> lock(const std::string& index_path, int operation,
                                const std::string& message);

  int file_ = -1;
};

}  // namespace gossamer::index
