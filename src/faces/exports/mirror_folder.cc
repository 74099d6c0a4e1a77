#include "exports/mirror_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "store/beneath.h"

namespace gossamer::exports {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kFileFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

bool is_safe_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && !part.contains('\0');
}

struct FolderCloser {
  void operator()(DIR* folder) const noexcept { closedir(folder); }
};

// The ending of the folder while it is written.
constexpr std::string_view kDraftEnding = ".gossamer-part";

Result<std::vector<std::string>> entries_of(const std::string& path) {
  const std::unique_ptr<DIR, FolderCloser> folder(opendir(path.c_str()));
  if (!folder) return fail(Error::from_errno(errno, "cannot list " + path));
  std::vector<std::string> entries;
  while (const dirent* const entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.emplace_back(name);
  }
  return entries;
}

// Removes the draft of a killed process. A process that still writes holds a lock.
Result<void> remove_old_draft(const std::string& draft) {
  const MirrorFile old(::open(draft.c_str(), kFolderFlags));
  if (old.descriptor() < 0) {
    if (errno == ENOENT) return {};
    return fail(Error::from_errno(errno, "cannot open " + draft));
  }
  if (flock(old.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    return fail(Errc::exists, draft + " is being written by another process");
  }
  std::error_code error;
  std::filesystem::remove_all(draft, error);
  if (error) return fail(Error::from_errno(error.value(), "cannot remove " + draft));
  return {};
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
    if (size < 0 && errno != EINTR) return fail(Error::from_errno(errno, "cannot write the file"));
    if (size > 0) bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
  return {};
}

Result<MirrorFolder> MirrorFolder::open(const std::string& path) {
  std::string whole = path;
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  // An existing folder, or a link to one, may be a mount point, which rename() cannot replace.
  const bool is_inside = access(whole.c_str(), F_OK) == 0;
  std::string draft = is_inside ? whole + "/" : whole;
  draft += kDraftEnding;
  if (is_inside) {
    const auto entries = entries_of(whole);
    if (!entries) return fail(entries.error().copy());
    const bool is_empty = std::ranges::all_of(
        *entries, [](const std::string& entry) { return entry == kDraftEnding; });
    if (!is_empty) return fail(Errc::exists, path + " is not empty");
  }
  if (auto removed = remove_old_draft(draft); !removed) return fail(std::move(removed).error());
  if (mkdir(draft.c_str(), 0777) != 0) {
    return fail(Error::from_errno(errno, "cannot create " + path));
  }
  const int descriptor = ::open(draft.c_str(), kFolderFlags);
  if (descriptor < 0) return fail(Error::from_errno(errno, "cannot open " + path));
  MirrorFolder folder(std::move(whole), std::move(draft), is_inside, descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return fail(Error::from_errno(errno, "cannot lock " + path));
  }
  return folder;
}

MirrorFolder::MirrorFolder(MirrorFolder&& other) noexcept
    : path_(std::move(other.path_)),
      draft_(std::exchange(other.draft_, {})),
      is_inside_(other.is_inside_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

MirrorFolder::~MirrorFolder() {
  std::error_code ignored;
  if (!draft_.empty()) std::filesystem::remove_all(draft_, ignored);
  if (descriptor_ >= 0) close(descriptor_);
}

Result<void> MirrorFolder::commit() {
  if (!is_inside_) {
    // Replaces an empty folder that appeared meanwhile; keeps anything else.
    if (std::rename(draft_.c_str(), path_.c_str()) != 0) {
      return fail(Error::from_errno(errno, "cannot create " + path_));
    }
    draft_.clear();
    return {};
  }
  const auto entries = entries_of(draft_);
  if (!entries) return fail(entries.error().copy());
  for (const std::string& entry : *entries) {
    const std::string from = draft_ + "/" + entry;
    const std::string to = path_ + "/" + entry;
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
      return fail(Error::from_errno(errno, "cannot create " + to));
    }
  }
  if (rmdir(draft_.c_str()) != 0) return fail(Error::from_errno(errno, "cannot remove " + draft_));
  draft_.clear();
  return {};
}

void MirrorFolder::remove(std::string_view name) const {
  MirrorFile folder(-1);
  int at = descriptor_;
  for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/')) {
    folder = MirrorFile(store::open_beneath(at, std::string(name.substr(0, slash)), kFolderFlags));
    at = folder.descriptor();
    name.remove_prefix(slash + 1);
  }
  unlinkat(at, std::string(name).c_str(), 0);
}

Result<MirrorFile> MirrorFolder::create(std::string_view name) const {
  MirrorFile folder(-1);
  int at = descriptor_;
  for (std::string_view rest = name;;) {
    const std::string part(rest.substr(0, rest.find('/')));
    if (!is_safe_part(part)) return fail(Errc::invalid_argument, std::string(name));
    const bool is_file = part.size() == rest.size();
    if (!is_file && mkdirat(at, part.c_str(), 0777) != 0 && errno != EEXIST) {
      return fail(Error::from_errno(errno, "cannot create folder " + part));
    }
    const int opened = store::open_beneath(at, part, is_file ? kFileFlags : kFolderFlags);
    if (opened < 0) return fail(Error::from_errno(errno, "cannot open " + part));
    if (is_file) return MirrorFile(opened);
    folder = MirrorFile(opened);
    at = opened;
    rest.remove_prefix(part.size() + 1);
  }
}

}  // namespace gossamer::exports
