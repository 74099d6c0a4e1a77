// The folder that archives are written in, besides what async::File can do with a file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::store {

// A port: behind it stands a folder, or, in tests, a simulated disk. All but path_of() block: not
// for a loop's thread.
class ArchiveFiles {
 public:
  struct Listed {
    std::string name;
    std::uint64_t bytes = 0;
  };

  virtual ~ArchiveFiles() = default;

  // By which async::File opens it.
  virtual std::string path_of(const std::string& name) const = 0;

  // Sorted by name.
  virtual Result<std::vector<Listed>> list() = 0;
  virtual Result<void> truncate(const std::string& name, std::uint64_t bytes) = 0;
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> remove(const std::string& name) = 0;
  // Calls `use` for all of a file, piece by piece, until that fails.
  using Use = std::move_only_function<Result<void>(Bytes piece)>;
  virtual Result<void> read(const std::string& name, Use use) = 0;
  // Writes a file that is there whole or not at all, and that survives a power cut. `fill` passes
  // its content on, piece by piece.
  using Fill = std::move_only_function<Result<void>(Use& put)>;
  virtual Result<void> write_whole(const std::string& name, Fill fill) = 0;
  // The names survive a power cut: those of new files, of renamed and of removed ones. A failure is
  // for good.
  virtual Result<void> sync_names() = 0;
};

// What errno says of a call, and of which file. REQUIRES: the call has failed.
Error last_error(const char* call, const std::string& path);

class FolderFiles final : public ArchiveFiles {
 public:
  // Makes the folder if there is none. Blocks. Fails with what the system says.
  static Result<FolderFiles> open(std::string folder);

  const std::string& folder() const { return folder_; }
  std::string path_of(const std::string& name) const override { return folder_ + "/" + name; }
  Result<std::vector<Listed>> list() override;
  Result<void> truncate(const std::string& name, std::uint64_t bytes) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& name) override;
  Result<void> read(const std::string& name, Use use) override;
  Result<void> write_whole(const std::string& name, Fill fill) override;
  Result<void> sync_names() override;

 private:
  explicit FolderFiles(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace gossamer::store
