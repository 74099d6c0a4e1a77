#include "store/run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "store/unnamed_file.h"

namespace gossamer::store {
RunFile::~RunFile() {
  if (file_ >= 0) close(file_);
}

Result<void> RunFile::open() {
  if (file_ >= 0) return {};
  auto file = open_unnamed_file(folder_);
  if (!file) return fail(std::move(file).error());
  file_ = *file;
  return {};
}

Result<void> RunFile::write(std::size_t place, std::span<const std::uint64_t> keys) {
  CHECK(keys.size_bytes() <= kHalfBytes);
  if (auto opened = open(); !opened) return opened;
  if (is_in_second_.size() <= place) is_in_second_.resize(place + 1);
  const bool is_second = !is_in_second_[place];
  auto rest = std::as_bytes(keys);
  std::uint64_t at = start_of(place, is_second);
  while (!rest.empty()) {
    const ssize_t written = pwrite(file_, rest.data(), rest.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      Error error = file_failure(written == 0 ? ENOSPC : errno, "cannot write a run of keys");
      release(place, is_second);
      return fail(std::move(error));
    }
    rest = rest.subspan(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  is_in_second_[place] = is_second;
  release(place, !is_second);
  return {};
}

Result<void> RunFile::read(std::size_t place, std::size_t first,
                           std::span<std::uint64_t> keys) const {
  CHECK(place < is_in_second_.size());
  auto rest = std::as_writable_bytes(keys);
  std::uint64_t at = start_of(place, is_in_second_[place]) + first * sizeof(std::uint64_t);
  while (!rest.empty()) {
    const ssize_t count = pread(file_, rest.data(), rest.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      return fail(file_failure(count == 0 ? EIO : errno, "cannot read a run of keys"));
    rest = rest.subspan(static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
  }
  return {};
}

// If the file system cannot free the space, the run after the next overwrites it.
void RunFile::release(std::size_t place, bool is_second) const noexcept {
  static_cast<void>(fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                              static_cast<off_t>(start_of(place, is_second)),
                              static_cast<off_t>(kHalfBytes)));
}

}  // namespace gossamer::store
