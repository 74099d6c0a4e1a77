#include "store/archive_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "store/whole_file.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

// "cannot CALL PATH: REASON".
Error cannot(const char* call, Error error) {
  if (error.error_number() == 0) return error;
  return Error::from_errno(error.error_number(), fmt::format("cannot {} {}", call, error.detail()));
}

Result<void> or_cannot(const char* call, Result<void> done) {
  if (done) return done;
  return fail(cannot(call, std::move(done).error()));
}

}  // namespace

async::Task<Result<async::File>> open_file(const ArchiveFiles& files, std::string name,
                                           async::OpenMode mode) {
  auto file = co_await async::File::open(files.pinned_path_of(name), mode);
  // The pinned path means nothing to people.
  const int error_number = file ? 0 : file.error().error_number();
  if (error_number == 0) co_return file;
  co_return fail(Error::from_errno(error_number, "open " + files.path_of(name)));
}

Result<FolderFiles> FolderFiles::open(std::string folder) {
  if (folder.empty()) folder = ".";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Error::from_errno(error.value(), "cannot create folder " + folder));
  // The user named it; who opens its files later follows no link.
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  if (std::filesystem::is_symlink(folder, error)) {
    folder = std::filesystem::canonical(folder, error).string();
  }
  auto opened = Folder::open(std::move(folder));
  if (!opened) return fail(cannot("open folder", std::move(opened).error()));
  return FolderFiles(std::move(*opened));
}

Result<FolderFiles> FolderFiles::open_inner(const std::string& folder) {
  auto opened = Folder::open_inner(folder, 0777);
  if (!opened) return fail(cannot("open folder", std::move(opened).error()));
  return FolderFiles(std::move(*opened));
}

Result<std::vector<ArchiveFiles::Listed>> FolderFiles::list() {
  std::vector<Listed> files;
  const auto note = [&](const std::string& name, const struct stat& status) {
    if (S_ISREG(status.st_mode)) {
      files.push_back({.name = name, .bytes = static_cast<std::uint64_t>(status.st_size)});
    } else if (S_ISLNK(status.st_mode)) {
      files.push_back({.name = name, .is_link = true});
    }
  };
  auto listed = folder_.for_each(note);
  if (!listed) return fail(cannot("list", std::move(listed).error()));
  std::ranges::sort(files, {}, &Listed::name);
  return files;
}

Result<void> FolderFiles::truncate(const std::string& name, std::uint64_t bytes) {
  return or_cannot("truncate", folder_.truncate(name, bytes));
}

Result<void> FolderFiles::rename(const std::string& from, const std::string& to) {
  return or_cannot("rename", folder_.rename(from, to));
}

Result<void> FolderFiles::remove(const std::string& name) {
  return or_cannot("remove", folder_.remove(name));
}

Result<void> FolderFiles::read(const std::string& name, Use use) {
  const auto file = folder_.file(name, O_RDONLY);
  if (!file) return fail(cannot("open", file.error().copy()));
  std::vector<std::byte> piece(kPieceBytes);
  for (;;) {
    const ssize_t count = ::read(file->get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(Error::from_errno(errno, "cannot read " + path_of(name)));
    if (count == 0) return {};
    auto used = use(Bytes(piece).first(static_cast<std::size_t>(count)));
    if (!used) return used;
  }
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
  auto file = WholeFile::open_in(folder_, name);
  if (!file) return fail(std::move(file).error());
  Use put = [&file](Bytes piece) { return file->append(as_text(piece)); };
  if (auto filled = fill(put); !filled) return filled;
  return file->commit();
}

Result<void> FolderFiles::sync_names() { return or_cannot("sync", folder_.sync()); }

}  // namespace gossamer::store
