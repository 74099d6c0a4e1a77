// For tests: the folder of an archive on a simulated disk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/disk.h"
#include "store/archive_files.h"

namespace gossamer::support {

class SimulatedArchiveFiles final : public store::ArchiveFiles {
 public:
  explicit SimulatedArchiveFiles(std::shared_ptr<sim::Disk> disk) : disk_(std::move(disk)) {}

  // The process that uses it is dead: whatever it still does reaches nothing.
  void unplug() { is_unplugged_ = true; }

  std::string path_of(const std::string& name) const override {
    return is_unplugged_ ? "nowhere/" + name : name;
  }
  Result<std::vector<Listed>> list() override {
    std::vector<Listed> files;
    for (std::string& name : disk_->names()) {
      const std::uint64_t bytes = disk_->content(name)->size();
      files.push_back({std::move(name), bytes});
    }
    return files;
  }
  Result<void> truncate(const std::string& name, std::uint64_t bytes) override {
    return is_unplugged_ ? dead() : as_result(disk_->truncate(name, bytes));
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    return is_unplugged_ ? dead() : as_result(disk_->rename(from, to));
  }
  Result<void> remove(const std::string& name) override {
    return is_unplugged_ ? dead() : as_result(disk_->remove(name));
  }
  Result<void> sync_names() override {
    return is_unplugged_ ? dead() : as_result(disk_->sync_names());
  }

 private:
  static Result<void> dead() { return fail(Errc::io_failed, "unplugged"); }
  static Result<void> as_result(std::int64_t result) {
    if (result < 0) return fail(Error::from_errno(static_cast<int>(-result), "the folder"));
    return {};
  }

  std::shared_ptr<sim::Disk> disk_;
  bool is_unplugged_ = false;
};

}  // namespace gossamer::support
