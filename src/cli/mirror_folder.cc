#include "cli/mirror_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

namespace gossamer::cli {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kFileFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFileMode = 0666;

// One part of a name. Where the kernel or a sandbox knows no openat2, a part without slashes that
// is neither a link nor ".." says the same.
int open_part(int folder, const std::string& part, int flags) {
  open_how how = {};
  how.flags = static_cast<std::uint64_t>(flags);
  how.mode = (flags & O_CREAT) != 0 ? kFileMode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long opened = syscall(SYS_openat2, folder, part.c_str(), &how, sizeof how);
  if (opened >= 0) return static_cast<int>(opened);
  if (errno != ENOSYS && errno != EPERM) return -1;
  return openat(folder, part.c_str(), flags, kFileMode);
}

bool is_safe_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && !part.contains('\0');
}

struct FolderCloser {
  void operator()(DIR* folder) const noexcept { closedir(folder); }
};

Result<bool> is_empty(const std::string& path) {
  const std::unique_ptr<DIR, FolderCloser> folder(opendir(path.c_str()));
  if (!folder) return fail(Error::from_errno(errno, path));
  while (const dirent* const entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return false;
  }
  return true;
}

}  // namespace

MirrorFile::MirrorFile(MirrorFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MirrorFile& MirrorFile::operator=(MirrorFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

MirrorFile::~MirrorFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<void> MirrorFile::write(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(descriptor_, bytes.data(), bytes.size());
    if (size < 0 && errno != EINTR) return fail(Error::from_errno(errno, "write"));
    if (size > 0) bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
  return {};
}

Result<MirrorFolder> MirrorFolder::open(const std::string& path) {
  if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    return fail(Error::from_errno(errno, path));
  }
  const auto empty = is_empty(path);
  if (!empty) return fail(empty.error().copy());
  if (!*empty) return fail(Errc::exists, path + " is not empty");
  // The user may well have named a link.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return fail(Error::from_errno(errno, path));
  return MirrorFolder(descriptor);
}

MirrorFolder::MirrorFolder(MirrorFolder&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MirrorFolder::~MirrorFolder() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<MirrorFile> MirrorFolder::create(std::string_view name) const {
  MirrorFile folder(-1);
  int at = descriptor_;
  for (std::string_view rest = name;;) {
    const std::string part(rest.substr(0, rest.find('/')));
    if (!is_safe_part(part)) return fail(Errc::invalid_argument, std::string(name));
    const bool is_file = part.size() == rest.size();
    if (!is_file && mkdirat(at, part.c_str(), 0777) != 0 && errno != EEXIST) {
      return fail(Error::from_errno(errno, "mkdir " + part));
    }
    const int opened = open_part(at, part, is_file ? kFileFlags : kFolderFlags);
    if (opened < 0) return fail(Error::from_errno(errno, "open " + part));
    if (is_file) return MirrorFile(opened);
    folder = MirrorFile(opened);
    at = opened;
    rest.remove_prefix(part.size() + 1);
  }
}

}  // namespace gossamer::cli
