#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "async/driver.h"
#include "async/operation.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::async {

// A file that is read and written at offsets without blocking the loop. The destructor closes it
// and does not sync.
class [[nodiscard]] File {
 public:
  class Open;
  class Transfer;
  class Sync;

  // co_await File::open(path, mode) gives a Result<File>. REQUIRES: runs on a loop.
  static Open open(std::string path, OpenMode mode);

  File(File&& other) noexcept
      : driver_(other.driver_), handle_(std::exchange(other.handle_, Handle::none)) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (handle_ != Handle::none) driver_.close(handle_);
  }

  // co_await read_at(...) gives a Result<std::size_t>: how many bytes were read, 0 at the end of
  // the file.
  // BORROWS: the buffer, until it is over.
  Transfer read_at(std::uint64_t offset, MutableBytes into) noexcept;
  // co_await write_at(...) gives a Result<std::size_t>: how many bytes were written, perhaps not
  // all.
  // BORROWS: the bytes, until it is over.
  Transfer write_at(std::uint64_t offset, Bytes bytes) noexcept;
  // Writes all bytes. BORROWS: the file and the bytes, until it is over.
  Task<Result<void>> write_all_at(std::uint64_t offset, Bytes bytes);
  // co_await sync() gives a Result<void>: the written data is on the disk. Never retry a failed
  // sync: the kernel may have dropped the pages.
  Sync sync() noexcept;

 private:
  File(Driver& driver, Handle handle) noexcept : driver_(driver), handle_(handle) {}

  Driver& driver_;
  Handle handle_;
};

class [[nodiscard]] File::Open final : public FileOperation {
 public:
  Open(Driver& driver, std::string path, OpenMode mode)
      : FileOperation(Kind::open, driver, Handle::none) {
    this->path = std::move(path);
    this->mode = mode;
  }
  Result<File> await_resume();
};

class [[nodiscard]] File::Transfer final : public FileOperation {
 public:
  Transfer(Driver& driver, Handle file, std::uint64_t offset, MutableBytes into)
      : FileOperation(Kind::read, driver, file) {
    this->offset = offset;
    read_into = into.data();
    size = into.size();
  }
  Transfer(Driver& driver, Handle file, std::uint64_t offset, Bytes bytes)
      : FileOperation(Kind::write, driver, file) {
    this->offset = offset;
    data = bytes.data();
    size = bytes.size();
  }
  Result<std::size_t> await_resume();
};

class [[nodiscard]] File::Sync final : public FileOperation {
 public:
  Sync(Driver& driver, Handle file) : FileOperation(Kind::sync, driver, file) {}
  Result<void> await_resume();
};

inline File::Transfer File::read_at(std::uint64_t offset, MutableBytes into) noexcept {
  return {driver_, handle_, offset, into};
}
inline File::Transfer File::write_at(std::uint64_t offset, Bytes bytes) noexcept {
  return {driver_, handle_, offset, bytes};
}
inline File::Sync File::sync() noexcept { return {driver_, handle_}; }

}  // namespace gossamer::async
