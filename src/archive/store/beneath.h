// Files of a folder that may come from another person: a crawl directory, an archive. They are
// opened beneath the folder, and symbolic links are not followed, so that a name cannot lead to
// another file of the user.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::store {

// Owns a file descriptor.
class FileHandle {
 public:
  explicit FileHandle(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  ~FileHandle();

  int get() const noexcept { return descriptor_; }
  bool is_open() const noexcept { return descriptor_ >= 0; }
  // Gives up the descriptor; the caller owns it.
  int release() noexcept;

 private:
  int descriptor_;
};

// The path of an open file, for code that opens files by their paths: it leads to this file and to
// no other. Empty: there is no /proc.
std::string path_of_descriptor(int descriptor);

// Opens a file or folder that is directly in `folder`, with the flags of open(). Returns a
// descriptor, or -1 and errno: ELOOP for a link, EXDEV for a name that leads elsewhere.
int open_beneath(int folder, const std::string& name, int flags, unsigned mode = 0666) noexcept;
// The same without openat2(), for kernels and sandboxes that lack it.
int open_beneath_by_name(int folder, const std::string& name, int flags, unsigned mode) noexcept;

// The error for a link in a crawl directory or an archive folder.
Error refusal_of_link(const std::string& path);

// An open folder. Names are those of files directly in it. All functions block.
class Folder {
 public:
  // Follows links in the path, because the user named it. Fails with the error of the system.
  static Result<Folder> open(std::string path);

  // Opens the folder at the path, which is in a folder that the user named, as folder() does.
  // With a mode, as made_folder() does.
  static Result<Folder> open_inner(const std::string& path, std::optional<unsigned> mode = {});
  // Opens the same folder once more, even if it has another name now.
  Result<Folder> again() const;

  const std::string& path() const noexcept { return path_; }
  std::string path_of(std::string_view name) const;
  // A path for code that opens files by their paths: it leads into this folder even if the name of
  // the folder has become a link to another one. A link in the folder is still followed, so open
  // files with O_NOFOLLOW or O_EXCL. Without /proc it is path_of().
  std::string pinned_path_of(std::string_view name) const;
  int descriptor() const noexcept { return descriptor_.get(); }

  // True if there is something of this name, perhaps a link.
  bool has(const std::string& name) const;
  bool is_empty() const;
  // Fail with Errc::io_failed for a link and for what is neither a file nor a folder, else with the
  // error of the system.
  Result<Folder> folder(const std::string& name) const;
  // The same. Makes the folder if there is none.
  Result<Folder> made_folder(const std::string& name, unsigned mode) const;
  Result<FileHandle> file(const std::string& name, int flags, unsigned mode = 0666) const;
  Result<std::string> read(const std::string& name) const;
  Result<void> rename(const std::string& from, const std::string& to) const;
  Result<void> remove(const std::string& name) const;
  Result<void> truncate(const std::string& name, std::uint64_t bytes) const;
  // Makes new, renamed and removed names survive a power cut.
  Result<void> sync() const;
  // Calls `use` with the name and the status of everything in the folder, in no particular order.
  using Use = std::move_only_function<void(const std::string& name, const struct stat& status)>;
  Result<void> for_each(Use use) const;
  // Fails if one of the files is a link, or a device or a pipe. For code that opens them by path.
  Result<void> refuse_links() const;

 private:
  Folder(std::string path, FileHandle descriptor) noexcept;
  // After a failed call.
  Error failure(const std::string& name) const;

  std::string path_;
  FileHandle descriptor_;
};

}  // namespace gossamer::store
