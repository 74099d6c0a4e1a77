#include "store/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace gossamer::store {
namespace {

std::unexpected<Error> failure(const std::string& path, int error) {
  return fail(Errc::io_failed, "cannot write " + path + ": " + std::strerror(error));
}

// These links lead to whatever the caller redirected. Replacing that would lose the rest of it.
bool is_descriptor(std::string_view path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

// Some file systems cannot sync, and some folders can be written but not read.
bool matters(int error) { return error != EINVAL && error != EROFS && error != EACCES; }

// `name` is a path from the folder with the descriptor `at`.
Result<void> sync_folder_of(const std::string& path, int at, const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : name.substr(0, slash + 1);
  const int descriptor = ::openat(at, folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int error = descriptor >= 0 ? 0 : errno;
  if (descriptor >= 0 && fsync(descriptor) != 0) error = errno;
  if (descriptor >= 0) close(descriptor);
  if (error != 0 && matters(error)) return failure(path, error);
  return {};
}

}  // namespace

WholeFile::WholeFile(std::string path, int at, std::string name, std::string draft, int descriptor)
    : path_(std::move(path)),
      at_(at),
      name_(std::move(name)),
      draft_(std::move(draft)),
      descriptor_(descriptor) {}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      at_(other.at_),
      name_(std::move(other.name_)),
      draft_(std::exchange(other.draft_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!draft_.empty()) unlinkat(at_, draft_.c_str(), 0);
}

Result<WholeFile> WholeFile::open(const std::string& path, unsigned mode) {
  struct stat status = {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return failure(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return failure(path, errno);
    return WholeFile(path, AT_FDCWD, path, {}, descriptor);
  }
  if (exists && is_descriptor(path)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) return failure(path, errno);
    return WholeFile(path, AT_FDCWD, path, {}, descriptor);
  }
  if (exists) {
    const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
    if (real && path != real.get()) return open(real.get(), mode);
  }
  return open_draft(path, AT_FDCWD, path, mode);
}

Result<WholeFile> WholeFile::open_in(const Folder& folder, const std::string& name, unsigned mode) {
  return open_draft(folder.path_of(name), folder.descriptor(), name, mode);
}

Result<WholeFile> WholeFile::open_draft(const std::string& path, int at, const std::string& name,
                                        unsigned mode) {
  // In the same folder, because only there rename() is atomic.
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string draft = fmt::format("{}.{}-{}.part", name, getpid(), attempt);
    const int descriptor = openat(at, draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0) return WholeFile(path, at, name, std::move(draft), descriptor);
    if (errno != EEXIST) return failure(path, errno);
  }
  return failure(path, EEXIST);
}

Result<void> WholeFile::write(std::string_view content) {
  if (auto written = append(content); !written) return written;
  return commit();
}

Result<void> WholeFile::append(std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(descriptor_, piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(path_, errno);
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> WholeFile::commit() {
  if (draft_.empty()) {
    if (close(std::exchange(descriptor_, -1)) != 0) return failure(path_, errno);
    return {};
  }
  // Before the rename: after a crash the file may be old, but never empty.
  if (fsync(descriptor_) != 0 && matters(errno)) return failure(path_, errno);
  if (close(std::exchange(descriptor_, -1)) != 0) return failure(path_, errno);
  if (renameat(at_, draft_.c_str(), at_, name_.c_str()) != 0) return failure(path_, errno);
  draft_.clear();
  return sync_folder_of(path_, at_, name_);
}

}  // namespace gossamer::store
