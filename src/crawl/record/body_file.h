// Bodies that are too large for memory, in files, from the socket to the archive.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/file.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::crawler {

// Where such files are. This is an interface; all functions are thread-safe.
//
// BOUND: the system holds about `unsynced_bytes_max` written bytes of all files together, then
// append() waits for the disk. A memory cgroup of version 1 counts such bytes and limits nothing.
class BodyFiles {
 public:
  explicit BodyFiles(std::uint64_t unsynced_bytes_max) : unsynced_bytes_max_(unsynced_bytes_max) {}
  BodyFiles(const BodyFiles&) = delete;
  BodyFiles& operator=(const BodyFiles&) = delete;
  virtual ~BodyFiles() = default;
  // Returns a name that no other file has.
  virtual std::string new_name() = 0;
  // The path for async::File, with a mode that follows no links.
  virtual std::string path_of(const std::string& name) const = 0;
  virtual void remove(const std::string& name) = 0;
  // How long to wait for free space before a body counts as failed.
  virtual Duration space_patience() const = 0;

 private:
  friend class BodyFile;

  const std::uint64_t unsynced_bytes_max_;
  std::atomic<std::uint64_t> unsynced_bytes_ = 0;
  std::atomic<std::uint64_t> count_ = 0;
};

// A body in a file. One loop writes it; after finish() any thread may read it. The destructor
// removes the file.
class BodyFile {
 public:
  // REQUIRES: runs on a loop. BORROWS: the files, for the life of the body.
  static async::Task<Result<std::shared_ptr<BodyFile>>> create(BodyFiles& files);
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;
  ~BodyFile();

  // Waits for free space. Fails with the error of the system, and with Errc::cancelled.
  // BORROWS: this and the bytes.
  async::Task<Result<void>> append(Bytes piece);
  // Closes the file: no append() follows.
  void finish() { file_.reset(); }

  const std::string& name() const noexcept { return name_; }
  std::string path() const { return files_.path_of(name_); }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  BodyFile(BodyFiles& files, std::string name, async::File file)
      : files_(files), name_(std::move(name)), file_(std::move(file)) {
    ++files_.count_;
  }
  // Whether there are too many unsynced bytes, and this file has its share of them.
  bool must_sync() const noexcept;

  BodyFiles& files_;
  const std::string name_;
  std::optional<async::File> file_;
  std::uint64_t bytes_ = 0;
  std::uint64_t unsynced_bytes_ = 0;
};

// Reads a finished body in pieces.
class BodyFileReader {
 public:
  // Waits for a descriptor if there is none. Fails with the error of the system, and with
  // Errc::cancelled. BORROWS: the body, for the life of the reader.
  static async::Task<Result<BodyFileReader>> open(const BodyFile& body);

  // Returns the next piece; empty at the end, which is after BodyFile::bytes(). BORROWS: this; the
  // bytes are valid until the next call.
  async::Task<Result<Bytes>> next();
  // Continues with the first piece.
  void rewind() noexcept { offset_ = 0; }

 private:
  BodyFileReader(const BodyFile& body, async::File file) : body_(&body), file_(std::move(file)) {}

  const BodyFile* body_;
  async::File file_;
  std::uint64_t offset_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace gossamer::crawler
