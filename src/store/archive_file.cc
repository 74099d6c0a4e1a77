#include "store/archive_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
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

Result<Bytes> ArchiveFile::read() {
  ssize_t size = 0;
  do {
    size = pread(descriptor_, buffer_.data(), buffer_.size(), static_cast<off_t>(offset_));
  } while (size < 0 && errno == EINTR);
  if (size < 0) return fail(Error::from_errno(errno, "cannot read the archive"));
  offset_ += static_cast<std::uint64_t>(size);
  return as_bytes(buffer_).first(static_cast<std::size_t>(size));
}

Result<void> walk_from(const std::string& path, std::uint64_t offset, RecordVisitor& visitor) {
  ArchiveFile file;
  if (auto opened = file.open(path, offset); !opened) return opened;
  auto walked = walk_records([&file] { return file.read(); }, visitor);
  if (!walked) return fail(std::move(walked).error(), path);
  return {};
}

}  // namespace gossamer::store
