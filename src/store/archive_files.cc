#include "store/archive_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "store/whole_file.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

}  // namespace

Error last_error(const char* call, const std::string& path) {
  return Error::from_errno(errno, fmt::format("cannot {} {}", call, path));
}

Result<FolderFiles> FolderFiles::open(std::string folder) {
  if (folder.empty()) folder = ".";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Error::from_errno(error.value(), "cannot create folder " + folder));
  return FolderFiles(std::move(folder));
}

Result<std::vector<ArchiveFiles::Listed>> FolderFiles::list() {
  std::vector<Listed> files;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder_, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    std::error_code about;
    if (!entries->is_regular_file(about)) continue;
    const std::uintmax_t bytes = entries->file_size(about);
    if (!about) files.push_back({entries->path().filename().string(), bytes});
  }
  if (error) return fail(Error::from_errno(error.value(), "cannot list " + folder_));
  std::ranges::sort(files, {}, &Listed::name);
  return files;
}

Result<void> FolderFiles::truncate(const std::string& name, std::uint64_t bytes) {
  const std::string path = path_of(name);
  if (::truncate(path.c_str(), static_cast<off_t>(bytes)) != 0) {
    return fail(last_error("truncate", path));
  }
  return {};
}

Result<void> FolderFiles::rename(const std::string& from, const std::string& to) {
  const std::string path = path_of(from);
  if (std::rename(path.c_str(), path_of(to).c_str()) != 0) return fail(last_error("rename", path));
  return {};
}

Result<void> FolderFiles::remove(const std::string& name) {
  const std::string path = path_of(name);
  if (::unlink(path.c_str()) != 0) return fail(last_error("remove", path));
  return {};
}

Result<void> FolderFiles::read(const std::string& name, Use use) {
  const std::string path = path_of(name);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(last_error("open", path));
  std::vector<std::byte> piece(kPieceBytes);
  Result<void> result = {};
  for (;;) {
    const ssize_t count = ::read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) result = fail(last_error("read", path));
    if (count <= 0) break;
    if (result = use(Bytes(piece).first(static_cast<std::size_t>(count))); !result) break;
  }
  ::close(file);
  return result;
}

// A process that was killed while it packed an archive leaves a draft of that size.
Result<void> FolderFiles::remove_drafts(const std::string& name) {
  auto files = list();
  if (!files) return fail(std::move(files).error());
  for (const Listed& file : *files) {
    if (!file.name.starts_with(name + ".") || !file.name.ends_with(".part")) continue;
    if (auto removed = remove(file.name); !removed) return removed;
  }
  return {};
}

Result<void> FolderFiles::write_whole(const std::string& name, Fill fill) {
  if (auto removed = remove_drafts(name); !removed) return removed;
  auto file = WholeFile::open(path_of(name));
  if (!file) return fail(std::move(file).error());
  Use put = [&file](Bytes piece) { return file->append(as_text(piece)); };
  if (auto filled = fill(put); !filled) return filled;
  return file->commit();
}

Result<void> FolderFiles::sync_names() {
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return fail(last_error("open", folder_));
  const int synced = ::fsync(folder);
  Result<void> result = {};
  if (synced != 0) result = fail(last_error("sync", folder_));
  ::close(folder);
  return result;
}

}  // namespace gossamer::store
