#include "store/rocks_disk.h"

#include <rocksdb/file_system.h>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

namespace gossamer::store {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// The first failure of a disk.
class DiskFailure {
 public:
  bool has_failed() const noexcept { return has_failed_; }

  // Makes a change unless one has failed. Returns success in any case.
  template <class Change>
  IOStatus ignore(Change change) {
    if (!has_failed_) static_cast<void>(note(change()));
    return IOStatus::OK();
  }
  // The same, but returns a failure, for files that RocksDB does not have yet.
  template <class Change>
  IOStatus report(Change change) {
    if (has_failed_) return IOStatus::IOError("an earlier write to the disk failed");
    return note(change());
  }

  std::optional<Error> error() const {
    if (!has_failed_) return std::nullopt;
    const std::scoped_lock lock(mutex_);
    return error_->copy();
  }

 private:
  IOStatus note(IOStatus done) {
    const bool is_failure =
        !done.ok() && !done.IsNotSupported() && !done.IsNotFound() && !done.IsPathNotFound();
    if (!is_failure) return done;
    const std::scoped_lock lock(mutex_);
    const bool is_full = done.IsNoSpace() || done.subcode() == IOStatus::SubCode::kNoSpace;
    if (!error_) error_ = Error(is_full ? Errc::no_space : Errc::io_failed, done.ToString());
    has_failed_ = true;
    return done;
  }

  mutable std::mutex mutex_;
  std::optional<Error> error_;  // guarded by the mutex
  std::atomic<bool> has_failed_ = false;
};

class WatchedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  WatchedFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::shared_ptr<DiskFailure> failure)
      : FSWritableFileOwnerWrapper(std::move(file)), failure_(std::move(failure)) {
    size_ = target()->GetFileSize(IOOptions(), nullptr);
  }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* dbg) override {
    size_ += data.size();
    return failure_->ignore([&] { return target()->Append(data, options, dbg); });
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& info, IODebugContext* dbg) override {
    size_ += data.size();
    return failure_->ignore([&] { return target()->Append(data, options, info, dbg); });
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* dbg) override {
    size_ = size;
    return failure_->ignore([&] { return target()->Truncate(size, options, dbg); });
  }
  // The descriptor must be closed in any case.
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    auto closed = target()->Close(options, dbg);
    return failure_->ignore([&] { return std::move(closed); });
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->Flush(options, dbg); });
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->Sync(options, dbg); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->Fsync(options, dbg); });
  }
  IOStatus RangeSync(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                     IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->RangeSync(offset, bytes, options, dbg); });
  }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override { return size_; }

 private:
  const std::shared_ptr<DiskFailure> failure_;
  std::uint64_t size_ = 0;  // as RocksDB knows it
};

class WatchedFolder final : public rocksdb::FSDirectoryWrapper {
 public:
  WatchedFolder(std::unique_ptr<rocksdb::FSDirectory> folder, std::shared_ptr<DiskFailure> failure)
      : FSDirectoryWrapper(std::move(folder)), failure_(std::move(failure)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return failure_->ignore([&] { return FSDirectoryWrapper::Fsync(options, dbg); });
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const rocksdb::DirFsyncOptions& what) override {
    return failure_->ignore(
        [&] { return FSDirectoryWrapper::FsyncWithDirOptions(options, dbg, what); });
  }

 private:
  const std::shared_ptr<DiskFailure> failure_;
};

}  // namespace

class RocksDisk::Files final : public rocksdb::FileSystemWrapper {
 public:
  Files() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  const char* Name() const override { return "GossamerDisk"; }
  std::optional<Error> error() const { return failure_->error(); }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* dbg) override {
    return watch(file, [&] { return target()->NewWritableFile(name, options, file, dbg); });
  }
  IOStatus ReopenWritableFile(const std::string& name, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              IODebugContext* dbg) override {
    return watch(file, [&] { return target()->ReopenWritableFile(name, options, file, dbg); });
  }
  IOStatus ReuseWritableFile(const std::string& name, const std::string& before,
                             const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* file,
                             IODebugContext* dbg) override {
    return watch(file,
                 [&] { return target()->ReuseWritableFile(name, before, options, file, dbg); });
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* folder,
                        IODebugContext* dbg) override {
    auto opened = target()->NewDirectory(name, options, folder, dbg);
    if (opened.ok()) *folder = std::make_unique<WatchedFolder>(std::move(*folder), failure_);
    return opened;
  }
  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->DeleteFile(name, options, dbg); });
  }
  IOStatus Truncate(const std::string& name, std::size_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->Truncate(name, size, options, dbg); });
  }
  IOStatus DeleteDir(const std::string& name, const IOOptions& options,
                     IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->DeleteDir(name, options, dbg); });
  }
  IOStatus RenameFile(const std::string& name, const std::string& to, const IOOptions& options,
                      IODebugContext* dbg) override {
    return failure_->report([&] { return target()->RenameFile(name, to, options, dbg); });
  }
  IOStatus LinkFile(const std::string& name, const std::string& to, const IOOptions& options,
                    IODebugContext* dbg) override {
    return failure_->report([&] { return target()->LinkFile(name, to, options, dbg); });
  }

 private:
  template <class Open>
  IOStatus watch(std::unique_ptr<rocksdb::FSWritableFile>* file, Open open) {
    auto opened = failure_->report(open);
    if (opened.ok()) *file = std::make_unique<WatchedFile>(std::move(*file), failure_);
    return opened;
  }

  const std::shared_ptr<DiskFailure> failure_ = std::make_shared<DiskFailure>();
};

RocksDisk::RocksDisk()
    : files_(std::make_shared<Files>()), env_(rocksdb::NewCompositeEnv(files_)) {}
RocksDisk::~RocksDisk() = default;

std::optional<Error> RocksDisk::failure() const { return files_->error(); }

}  // namespace gossamer::store
