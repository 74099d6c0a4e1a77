#include "store/archive_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace gossamer::store {

ArchiveFile::~ArchiveFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<void> ArchiveFile::open(const std::string& path, std::uint64_t offset) {
  offset_ = offset;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) descriptor_ = ::open((path + ".open").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) return fail(Error::from_errno(errno, "cannot open " + path));
  return {};
}

Result<void> ArchiveFile::open_in(const Folder& folder, const std::string& name,
                                  std::uint64_t offset) {
  auto file = folder.file(name, O_RDONLY);
  if (!file && file.error() == Errc::not_found) file = folder.file(name + ".open", O_RDONLY);
  if (!file) return fail(std::move(file).error(), "cannot open " + folder.path_of(name));
  offset_ = offset;
  descriptor_ = file->release();
  return {};
}

Result<Bytes> ArchiveFile::read() {
  ssize_t size = 0;
  do {
    size = pread(descriptor_, buffer_.data(), buffer_.size(), static_cast<off_t>(offset_));
  } while (size < 0 && errno == EINTR);
  if (size < 0) return fail(Error::from_errno(errno, "cannot read the archive"));
  offset_ += static_cast<std::uint64_t>(size);
  return as_bytes(buffer_).first(static_cast<std::size_t>(size));
}

Result<FileHandle> open_in_folder(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string parent = file.has_parent_path() ? file.parent_path().string() : ".";
  const bool is_inner = file.parent_path().filename() == "archive";
  const auto folder = is_inner ? Folder::open_inner(parent) : Folder::open(parent);
  return folder ? folder->file(file.filename(), O_RDONLY) : fail(folder.error().copy());
}

namespace {

Result<void> walk(ArchiveFile& file, const std::string& path, RecordVisitor& visitor) {
  auto walked = walk_records([&file] { return file.read(); }, visitor);
  if (!walked) return fail(std::move(walked).error(), path);
  return {};
}

}  // namespace

Result<void> walk_from(const std::string& path, std::uint64_t offset, RecordVisitor& visitor) {
  ArchiveFile file;
  if (auto opened = file.open(path, offset); !opened) return opened;
  return walk(file, path, visitor);
}

Result<void> walk_in(const std::string& folder, const std::string& name, std::uint64_t offset,
                     RecordVisitor& visitor) {
  const auto archive = Folder::open_inner(folder);
  if (!archive) return fail(archive.error().copy());
  ArchiveFile file;
  if (auto opened = file.open_in(*archive, name, offset); !opened) return opened;
  return walk(file, archive->path_of(name), visitor);
}

}  // namespace gossamer::store
