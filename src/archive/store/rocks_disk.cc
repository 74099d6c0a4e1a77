#include "store/rocks_disk.h"

#include <fcntl.h>
#include <rocksdb/file_system.h>
#include <sys/file.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  explicit DiskFailure(std::string folder) : folder_(std::move(folder)) {}

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
    if (!error_) error_ = Error(is_full ? Errc::no_space : Errc::io_failed, text_of(done));
    has_failed_ = true;
    return done;
  }

  // The path of a descriptor means nothing to people.
  std::string text_of(const IOStatus& failed) const {
    constexpr std::string_view kDescriptor = "/proc/self/fd/";
    std::string text = failed.ToString();
    const std::size_t begin = text.find(kDescriptor);
    if (begin == std::string::npos) return text;
    const std::size_t end = text.find_first_not_of("0123456789", begin + kDescriptor.size());
    return text.replace(begin, std::min(end, text.size()) - begin, folder_);
  }

  const std::string folder_;
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

IOStatus status_of(const Error& error) {
  const std::string text(error.message());
  if (error == Errc::not_found) return IOStatus::PathNotFound(text);
  return error == Errc::no_space ? IOStatus::NoSpace(text) : IOStatus::IOError(text);
}

// The folder of the tables. RocksDB wants to sync it for each of its families, so this has no
// descriptor of its own: with few descriptors, connections and archives need them.
class SyncedFolder final : public rocksdb::FSDirectory {
 public:
  // BORROWS: the folder, which outlives the database.
  SyncedFolder(const Folder& folder, std::shared_ptr<DiskFailure> failure)
      : folder_(folder), failure_(std::move(failure)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    return failure_->ignore([&] {
      const auto synced = folder_.sync();
      return synced ? IOStatus::OK() : status_of(synced.error());
    });
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  const Folder& folder_;
  const std::shared_ptr<DiskFailure> failure_;
};

// The lock of a database, as long as it is open.
class OpenLock final : public rocksdb::FileLock {
 public:
  explicit OpenLock(FileHandle file) : file_(std::move(file)) {}

 private:
  FileHandle file_;
};

// What RocksDB calls a file, as a place beneath the folder.
class FolderNames {
 public:
  explicit FolderNames(Folder folder) : folder_(std::move(folder)) {}

  const Folder& folder() const noexcept { return folder_; }

  // Calls `use` with a path of the open file, which leads to no other.
  template <class Use>
  IOStatus opened(const std::string& path, int flags, Use use) const {
    const auto file = open(path, flags);
    if (!file) return status_of(file.error());
    const std::string pinned = path_of_descriptor(file->get());
    return use(pinned.empty() ? path : pinned);
  }
  // Whether it is the folder itself.
  bool is_folder(std::string_view path) const { return name_in_folder(path).empty(); }
  // A path for what does not open files: to rename, to remove, to list.
  std::string pinned(const std::string& path) const {
    return folder_.pinned_path_of(name_in_folder(path));
  }
  Result<FileHandle> open(const std::string& path, int flags) const {
    const std::string name = name_in_folder(path);
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) return folder_.file(name, flags);
    const auto inner = folder_.folder(name.substr(0, slash));
    return inner ? inner->file(name.substr(slash + 1), flags) : fail(inner.error().copy());
  }

 private:
  // RocksDB begins all names with that of the folder.
  std::string name_in_folder(std::string_view path) const {
    std::string_view name = path;
    if (name.starts_with(folder_.path())) name.remove_prefix(folder_.path().size());
    while (name.starts_with('/')) name.remove_prefix(1);
    return std::string(name);
  }

  const Folder folder_;
};

}  // namespace

class RocksDisk::Files final : public rocksdb::FileSystemWrapper {
 public:
  explicit Files(Folder folder)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), names_(std::move(folder)) {}

  const char* Name() const override { return "GossamerDisk"; }
  const Folder& folder() const noexcept { return names_.folder(); }
  std::optional<Error> error() const { return failure_->error(); }

  IOStatus NewSequentialFile(const std::string& name, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             IODebugContext* dbg) override {
    return names_.opened(name, O_RDONLY, [&](const std::string& path) {
      return target()->NewSequentialFile(path, options, file, dbg);
    });
  }
  IOStatus NewRandomAccessFile(const std::string& name, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               IODebugContext* dbg) override {
    return names_.opened(name, O_RDONLY, [&](const std::string& path) {
      return target()->NewRandomAccessFile(path, options, file, dbg);
    });
  }
  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* dbg) override {
    return watch(file, name, O_WRONLY | O_CREAT | O_TRUNC, [&](const std::string& path) {
      return target()->NewWritableFile(path, options, file, dbg);
    });
  }
  IOStatus ReopenWritableFile(const std::string& name, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              IODebugContext* dbg) override {
    return watch(file, name, O_WRONLY | O_CREAT, [&](const std::string& path) {
      return target()->ReopenWritableFile(path, options, file, dbg);
    });
  }
  IOStatus ReuseWritableFile(const std::string& name, const std::string& before,
                             const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* file,
                             IODebugContext* dbg) override {
    return FileSystem::ReuseWritableFile(name, before, options, file, dbg);
  }
  IOStatus NewRandomRWFile(const std::string&, const FileOptions&,
                           std::unique_ptr<rocksdb::FSRandomRWFile>*, IODebugContext*) override {
    return IOStatus::NotSupported();
  }
  IOStatus NewMemoryMappedFileBuffer(const std::string&,
                                     std::unique_ptr<rocksdb::MemoryMappedFileBuffer>*) override {
    return IOStatus::NotSupported();
  }
  IOStatus NewLogger(const std::string&, const IOOptions&, std::shared_ptr<rocksdb::Logger>*,
                     IODebugContext*) override {
    return IOStatus::NotSupported();
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions&,
                        std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext*) override {
    if (!names_.is_folder(name)) return IOStatus::NotSupported();
    *folder = std::make_unique<SyncedFolder>(names_.folder(), failure_);
    return IOStatus::OK();
  }
  IOStatus FileExists(const std::string& name, const IOOptions& options,
                      IODebugContext* dbg) override {
    return target()->FileExists(names_.pinned(name), options, dbg);
  }
  IOStatus GetChildren(const std::string& name, const IOOptions& options,
                       std::vector<std::string>* children, IODebugContext* dbg) override {
    return target()->GetChildren(names_.pinned(name), options, children, dbg);
  }
  IOStatus GetChildrenFileAttributes(const std::string& name, const IOOptions& options,
                                     std::vector<rocksdb::FileAttributes>* children,
                                     IODebugContext* dbg) override {
    return target()->GetChildrenFileAttributes(names_.pinned(name), options, children, dbg);
  }
  IOStatus GetFileSize(const std::string& name, const IOOptions& options, std::uint64_t* size,
                       IODebugContext* dbg) override {
    return target()->GetFileSize(names_.pinned(name), options, size, dbg);
  }
  IOStatus GetFileModificationTime(const std::string& name, const IOOptions& options,
                                   std::uint64_t* time, IODebugContext* dbg) override {
    return target()->GetFileModificationTime(names_.pinned(name), options, time, dbg);
  }
  IOStatus IsDirectory(const std::string& name, const IOOptions& options, bool* is_folder,
                       IODebugContext* dbg) override {
    return target()->IsDirectory(names_.pinned(name), options, is_folder, dbg);
  }
  IOStatus GetFreeSpace(const std::string& name, const IOOptions& options, std::uint64_t* free,
                        IODebugContext* dbg) override {
    return target()->GetFreeSpace(names_.pinned(name), options, free, dbg);
  }
  IOStatus CreateDir(const std::string& name, const IOOptions& options,
                     IODebugContext* dbg) override {
    return target()->CreateDir(names_.pinned(name), options, dbg);
  }
  IOStatus CreateDirIfMissing(const std::string& name, const IOOptions& options,
                              IODebugContext* dbg) override {
    return target()->CreateDirIfMissing(names_.pinned(name), options, dbg);
  }
  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* dbg) override {
    return failure_->ignore(
        [&] { return target()->DeleteFile(names_.pinned(name), options, dbg); });
  }
  IOStatus Truncate(const std::string& name, std::size_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    return failure_->ignore([&] {
      return names_.opened(name, O_WRONLY, [&](const std::string& path) {
        return target()->Truncate(path, size, options, dbg);
      });
    });
  }
  IOStatus DeleteDir(const std::string& name, const IOOptions& options,
                     IODebugContext* dbg) override {
    return failure_->ignore([&] { return target()->DeleteDir(names_.pinned(name), options, dbg); });
  }
  IOStatus RenameFile(const std::string& name, const std::string& to, const IOOptions& options,
                      IODebugContext* dbg) override {
    return failure_->report(
        [&] { return target()->RenameFile(names_.pinned(name), names_.pinned(to), options, dbg); });
  }
  IOStatus LinkFile(const std::string& name, const std::string& to, const IOOptions& options,
                    IODebugContext* dbg) override {
    return failure_->report(
        [&] { return target()->LinkFile(names_.pinned(name), names_.pinned(to), options, dbg); });
  }
  IOStatus LockFile(const std::string& name, const IOOptions&, rocksdb::FileLock** lock,
                    IODebugContext*) override {
    auto file = names_.open(name, O_RDWR | O_CREAT);
    if (!file) return status_of(file.error());
    if (flock(file->get(), LOCK_EX | LOCK_NB) != 0) {
      return status_of(Error::from_errno(errno, "cannot lock " + name));
    }
    *lock = new OpenLock(std::move(*file));
    return IOStatus::OK();
  }
  IOStatus UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) override {
    delete static_cast<OpenLock*>(lock);
    return IOStatus::OK();
  }

 private:
  template <class Open>
  IOStatus watch(std::unique_ptr<rocksdb::FSWritableFile>* file, const std::string& name, int flags,
                 Open open) {
    auto opened = failure_->report([&] { return names_.opened(name, flags, open); });
    if (opened.ok()) *file = std::make_unique<WatchedFile>(std::move(*file), failure_);
    return opened;
  }

  const FolderNames names_;
  const std::shared_ptr<DiskFailure> failure_ =
      std::make_shared<DiskFailure>(names_.folder().path());
};

RocksDisk::RocksDisk(Folder folder)
    : files_(std::make_shared<Files>(std::move(folder))), env_(rocksdb::NewCompositeEnv(files_)) {}
RocksDisk::~RocksDisk() = default;

const Folder& RocksDisk::folder() const noexcept { return files_->folder(); }

std::optional<Error> RocksDisk::failure() const { return files_->error(); }

}  // namespace gossamer::store
