// The folder of an archive: operations that async::File lacks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "async/file.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "store/beneath.h"

namespace gossamer::store {

// This is an interface, implemented by a folder and, in tests, by a simulated disk. All functions
// but those for paths block; do not call them on a loop's thread.
class ArchiveFiles {
 public:
  struct Listed {
    std::string name;
    std::uint64_t bytes = 0;
    bool is_link = false;  // then it has no bytes, and cannot be opened
  };

  virtual ~ArchiveFiles() = default;

  // The path for people and other programs.
  virtual std::string path_of(const std::string& name) const = 0;
  // The path for async::File, which leads into the folder that was opened. Use OpenMode::write_new
  // and read_write: they follow no link.
  virtual std::string pinned_path_of(const std::string& name) const { return path_of(name); }

  // Sorted by name.
  virtual Result<std::vector<Listed>> list() = 0;
  virtual Result<void> truncate(const std::string& name, std::uint64_t bytes) = 0;
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> remove(const std::string& name) = 0;
  // Calls `use` for each piece of a file, until it fails.
  using Use = std::move_only_function<Result<void>(Bytes piece)>;
  virtual Result<void> read(const std::string& name, Use use) = 0;
  // Writes a file atomically and durably. `fill` passes its content on, piece by piece.
  using Fill = std::move_only_function<Result<void>(Use& put)>;
  virtual Result<void> write_whole(const std::string& name, Fill fill) = 0;
  // Makes new, renamed and removed names survive a power cut. A failure is permanent.
  virtual Result<void> sync_names() = 0;
};

// Opens a file for a loop. Fails with the error of the system. BORROWS: the files.
async::Task<Result<async::File>> open_file(const ArchiveFiles& files, std::string name,
                                           async::OpenMode mode);

// Follows no links in the folder: they could lead to files of the user.
class FolderFiles final : public ArchiveFiles {
 public:
  // Creates the folder if necessary. Blocks. Fails with the error of the system.
  static Result<FolderFiles> open(std::string folder);
  // The same for a folder of a crawl directory, which must not be a link.
  static Result<FolderFiles> open_inner(const std::string& folder);

  const std::string& folder() const { return folder_.path(); }
  std::string path_of(const std::string& name) const override { return folder() + "/" + name; }
  std::string pinned_path_of(const std::string& name) const override {
    return folder_.pinned_path_of(name);
  }
  Result<std::vector<Listed>> list() override;
  Result<void> truncate(const std::string& name, std::uint64_t bytes) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& name) override;
  Result<void> read(const std::string& name, Use use) override;
  Result<void> write_whole(const std::string& name, Fill fill) override;
  Result<void> sync_names() override;

 private:
  Result<void> remove_drafts(const std::string& name);

  explicit FolderFiles(Folder folder) : folder_(std::move(folder)) {}

  Folder folder_;
};

}  // namespace gossamer::store
