#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/time.h"
#include "record/body_file.h"
#include "store/archive_files.h"

namespace gossamer::store {

// Large bodies, in the folder of the archive that will have them: NAME-body-1.part.
class ArchiveBodies final : public crawler::BodyFiles {
 public:
  // `name` is ArchiveOptions::name. BORROWS: the files.
  ArchiveBodies(ArchiveFiles& files, std::string name, Duration space_patience,
                std::uint64_t unsynced_bytes_max)
      : BodyFiles(unsynced_bytes_max),
        files_(files),
        name_(std::move(name)),
        space_patience_(space_patience) {}

  std::string new_name() override;
  std::string path_of(const std::string& name) const override {
    return files_.pinned_path_of(name);
  }
  void remove(const std::string& name) override;
  Duration space_patience() const override { return space_patience_; }

  // Returns whether an earlier process left this file, which was writing the archive `name`.
  static bool is_left_over(std::string_view file, std::string_view name);

 private:
  ArchiveFiles& files_;
  const std::string name_;
  const Duration space_patience_;
  std::atomic<std::uint64_t> last_ = 0;
};

}  // namespace gossamer::store
