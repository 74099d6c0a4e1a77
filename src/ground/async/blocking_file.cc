#include "async/blocking_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "async/open_flags.h"
#include "async/operation.h"
#include "base/check.h"

namespace gossamer::async {

namespace {

std::int64_t call_once(const FileOperation& operation) {
  const int descriptor = static_cast<int>(operation.handle());
  const auto offset = static_cast<off_t>(operation.offset);
  switch (operation.kind()) {
    case Operation::Kind::open:
      return open(operation.path.c_str(), open_flags(operation.mode), kNewFilePermissions);
    case Operation::Kind::read:
      return pread(descriptor, operation.read_into, operation.size, offset);
    case Operation::Kind::write: return pwrite(descriptor, operation.data, operation.size, offset);
    case Operation::Kind::sync: return fdatasync(descriptor);
    default: break;
  }
  CHECK(false, "not a file operation");
  return -1;
}

}  // namespace

std::int64_t execute_blocking(const FileOperation& operation) {
  for (;;) {
    const std::int64_t result = call_once(operation);
    if (result >= 0) return result;
    if (errno != EINTR) return -errno;
  }
}

}  // namespace gossamer::async
