#include "async/open_flags.h"

#include <fcntl.h>

namespace gossamer::async {

int open_flags(OpenMode mode) noexcept {
  switch (mode) {
    case OpenMode::read: return O_RDONLY | O_CLOEXEC;
    case OpenMode::write_new: return O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    case OpenMode::write_truncate: return O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    // For archives that an earlier run left, perhaps that of another person: a link could lead to
    // any file of the user.
    case OpenMode::read_write: return O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
  }
  return O_RDONLY | O_CLOEXEC;
}

}  // namespace gossamer::async
