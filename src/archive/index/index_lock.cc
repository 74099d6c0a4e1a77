#include "index/index_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gossamer::index {
namespace {

// An index is replaced by an empty one in a moment.
constexpr int kAttempts = 20;
constexpr useconds_t kPauseMicroseconds = 10'000;

}  // namespace

IndexLock::IndexLock(IndexLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

IndexLock& IndexLock::operator=(IndexLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

IndexLock::~IndexLock() {
  if (file_ >= 0) close(file_);
}

Result<IndexLock> IndexLock::lock(const std::string& index_path, int operation,
                                  const std::string& message) {
  const std::string name = index_path + ".lock";
  IndexLock lock;
  lock.file_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (lock.file_ < 0) return fail(Error::from_errno(errno, "cannot create " + name));
  for (int i = 0; i < kAttempts; ++i) {
    if (i > 0) usleep(kPauseMicroseconds);
    if (flock(lock.file_, operation | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return fail(Error::from_errno(errno, "cannot lock " + name));
    }
  }
  return fail(Errc::unavailable, message);
}

Result<IndexLock> IndexLock::share(const std::string& index_path) {
  return lock(index_path, LOCK_SH,
              "another process builds " + index_path + " again; wait until it has ended");
}

Result<IndexLock> IndexLock::take(const std::string& index_path) {
  return lock(index_path, LOCK_EX,
              "another process writes " + index_path + "; wait until it has ended");
}

}  // namespace gossamer::index
