#include "store/beneath.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace gossamer::store {
namespace {

bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && !name.contains('/') &&
         !name.contains('\0');
}

struct ListingCloser {
  void operator()(DIR* folder) const noexcept { closedir(folder); }
};

// A socket may be the one of `control`.
bool is_ordinary(mode_t mode) { return S_ISREG(mode) || S_ISDIR(mode) || S_ISSOCK(mode); }

}  // namespace

Error refusal_of_link(const std::string& path) {
  return {Errc::io_failed,
          path + " is a symbolic link; Gossamer follows none in a crawl directory or an archive"};
}

FileHandle::FileHandle(FileHandle&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int open_beneath_by_name(int folder, const std::string& name, int flags, unsigned mode) noexcept {
  // A name without slashes that is neither a link nor ".." cannot lead elsewhere.
  if (is_plain_name(name)) return openat(folder, name.c_str(), flags | O_NOFOLLOW, mode);
  errno = EXDEV;
  return -1;
}

int open_beneath(int folder, const std::string& name, int flags, unsigned mode) noexcept {
  if (!is_plain_name(name)) {
    errno = EXDEV;
    return -1;
  }
  open_how how = {};
  how.flags = static_cast<std::uint64_t>(flags | O_NOFOLLOW);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long opened = syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how);
  if (opened >= 0) return static_cast<int>(opened);
  if (errno != ENOSYS && errno != EPERM) return -1;
  return open_beneath_by_name(folder, name, flags, mode);
}

std::string path_of_descriptor(int descriptor) {
  static const bool kHasDescriptors = access("/proc/self/fd", X_OK) == 0;
  return kHasDescriptors ? "/proc/self/fd/" + std::to_string(descriptor) : std::string();
}

int FileHandle::release() noexcept { return std::exchange(descriptor_, -1); }

namespace {

// To list and to sync a folder. If it is not open, errno says why.
FileHandle open_again(int folder) {
  FileHandle opened(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status = {};
  if (!opened.is_open() || fstat(opened.get(), &status) != 0) return FileHandle();
  if (status.st_nlink > 0) return opened;
  errno = ENOENT;  // it was removed, and only descriptors are left
  return FileHandle();
}

}  // namespace

Folder::Folder(std::string path, FileHandle descriptor) noexcept
    : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

Result<Folder> Folder::open(std::string path) {
  // A folder that cannot be listed can be used.
  FileHandle opened(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return fail(Error::from_errno(errno, path));
  return Folder(std::move(path), std::move(opened));
}

Result<Folder> Folder::open_inner(const std::string& path, std::optional<unsigned> mode) {
  const std::size_t end = path.find_last_not_of('/') + 1;  // npos + 1 is 0
  const std::size_t slash = path.substr(0, end).rfind('/');
  const bool has_parent = slash != std::string::npos;
  const auto parent = open(has_parent ? path.substr(0, std::max<std::size_t>(slash, 1)) : ".");
  if (!parent) return fail(parent.error().copy());
  const std::size_t begin = has_parent ? slash + 1 : 0;
  const std::string name = path.substr(begin, end - begin);
  auto inner = mode ? parent->made_folder(name, *mode) : parent->folder(name);
  if (inner) inner->path_ = path;
  return inner;
}

Result<Folder> Folder::again() const {
  FileHandle opened(fcntl(descriptor(), F_DUPFD_CLOEXEC, 0));
  if (!opened.is_open()) return fail(Error::from_errno(errno, path_));
  return Folder(path_, std::move(opened));
}

std::string Folder::path_of(std::string_view name) const {
  std::string path = path_;
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

std::string Folder::pinned_path_of(std::string_view name) const {
  std::string path = path_of_descriptor(descriptor());
  if (path.empty()) return path_of(name);
  if (!name.empty()) path.append("/").append(name);
  return path;
}

Error Folder::failure(const std::string& name) const {
  const int error_number = errno;
  const std::string path = path_of(name);
  struct stat status = {};
  const bool is_there =
      fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) == 0;
  if (is_there && S_ISLNK(status.st_mode)) return refusal_of_link(path);
  return Error::from_errno(error_number, path);
}

bool Folder::has(const std::string& name) const {
  struct stat status = {};
  return fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

bool Folder::is_empty() const {
  bool has_any = false;
  const auto listed = for_each([&](const std::string&, const struct stat&) { has_any = true; });
  return listed && !has_any;
}

Result<Folder> Folder::folder(const std::string& name) const {
  FileHandle opened(open_beneath(descriptor(), name, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return fail(failure(name));
  return Folder(path_of(name), std::move(opened));
}

Result<Folder> Folder::made_folder(const std::string& name, unsigned mode) const {
  const bool is_made = mkdirat(descriptor(), name.c_str(), mode) == 0;
  if (is_made || errno == EEXIST) return folder(name);
  return fail(failure(name));
}

Result<FileHandle> Folder::file(const std::string& name, int flags, unsigned mode) const {
  // A pipe must not block. Truncating waits until it is known to be a file.
  const int opening = (flags & ~O_TRUNC) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  FileHandle opened(open_beneath(descriptor(), name, opening, mode));
  if (!opened.is_open()) return fail(failure(name));
  struct stat status = {};
  if (fstat(opened.get(), &status) != 0) return fail(failure(name));
  if (!S_ISREG(status.st_mode)) return fail(Errc::io_failed, path_of(name) + " is not a file");
  if ((flags & O_TRUNC) != 0 && ftruncate(opened.get(), 0) != 0) return fail(failure(name));
  return opened;
}

Result<std::string> Folder::read(const std::string& name) const {
  auto opened = file(name, O_RDONLY);
  if (!opened) return fail(std::move(opened).error());
  std::string text;
  char piece[16 * 1024];
  for (;;) {
    const ssize_t count = ::read(opened->get(), piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(failure(name));
    if (count == 0) return text;
    text.append(piece, static_cast<std::size_t>(count));
  }
}

Result<void> Folder::rename(const std::string& from, const std::string& to) const {
  if (renameat(descriptor(), from.c_str(), descriptor(), to.c_str()) == 0) return {};
  return fail(Error::from_errno(errno, path_of(from)));
}

Result<void> Folder::remove(const std::string& name) const {
  if (unlinkat(descriptor(), name.c_str(), 0) == 0) return {};
  return fail(Error::from_errno(errno, path_of(name)));
}

Result<void> Folder::truncate(const std::string& name, std::uint64_t bytes) const {
  auto opened = file(name, O_WRONLY);
  if (!opened) return fail(std::move(opened).error());
  if (ftruncate(opened->get(), static_cast<off_t>(bytes)) == 0) return {};
  return fail(failure(name));
}

Result<void> Folder::sync() const {
  const FileHandle opened = open_again(descriptor());
  if (opened.is_open() && fsync(opened.get()) == 0) return {};
  return fail(Error::from_errno(errno, path_));
}

Result<void> Folder::for_each(Use use) const {
  FileHandle listed = open_again(descriptor());
  const std::unique_ptr<DIR, ListingCloser> folder(listed.is_open() ? fdopendir(listed.get())
                                                                    : nullptr);
  if (!folder) return fail(Error::from_errno(errno, path_));
  listed.release();
  while (const dirent* const entry = readdir(folder.get())) {
    const std::string name = entry->d_name;
    struct stat status = {};
    // It may be gone meanwhile.
    if (name == "." || name == ".." ||
        fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    use(name, status);
  }
  return {};
}

Result<void> Folder::refuse_links() const {
  std::optional<Error> problem;
  auto listed = for_each([&](const std::string& name, const struct stat& status) {
    if (is_ordinary(status.st_mode) || problem) return;
    const std::string path = path_of(name);
    problem = S_ISLNK(status.st_mode) ? refusal_of_link(path)
                                      : Error(Errc::io_failed, path + " is not a file");
  });
  if (!listed || !problem) return listed;
  return fail(std::move(*problem));
}

}  // namespace gossamer::store
