// For tests: the folder of an archive on a simulated disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/operation.h"
#include "base/bytes.h"
#include "store/archive_files.h"
#include "tests/simulated/disk.h"

namespace gossamer::support {

class SimulatedArchiveFiles final : public store::ArchiveFiles {
 public:
  explicit SimulatedArchiveFiles(std::shared_ptr<sim::Disk> disk) : disk_(std::move(disk)) {}

  std::string path_of(const std::string& name) const override { return name; }
  Result<std::vector<Listed>> list() override {
    std::vector<Listed> files;
    for (std::string& name : disk_->names()) {
      const std::uint64_t bytes = disk_->content(name)->size();
      files.push_back({.name = std::move(name), .bytes = bytes});
    }
    return files;
  }
  Result<void> truncate(const std::string& name, std::uint64_t bytes) override {
    return as_result(disk_->truncate(name, bytes));
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    return as_result(disk_->rename(from, to));
  }
  Result<void> remove(const std::string& name) override { return as_result(disk_->remove(name)); }
  Result<void> read(const std::string& name, Use use) override {
    std::shared_ptr<sim::SimFile> file;
    auto opened = as_result(disk_->open(name, async::OpenMode::read, file));
    if (!opened) return opened;
    std::vector<std::byte> piece(4096);
    for (std::uint64_t at = 0;;) {
      const std::int64_t count = disk_->read(*file, at, piece);
      if (count <= 0) return as_result(count);
      at += static_cast<std::uint64_t>(count);
      auto used = use(Bytes(piece).first(static_cast<std::size_t>(count)));
      if (!used) return used;
    }
  }
  Result<void> write_whole(const std::string& name, Fill fill) override {
    const std::string draft = name + ".open";
    std::shared_ptr<sim::SimFile> file;
    std::uint64_t at = 0;
    Use put = [&](Bytes piece) -> Result<void> {
      while (!piece.empty()) {
        const std::int64_t count = disk_->write(*file, at, piece);
        if (count < 0) return as_result(count);
        at += static_cast<std::uint64_t>(count);
        piece = piece.subspan(static_cast<std::size_t>(count));
      }
      return {};
    };
    auto done = as_result(disk_->open(draft, async::OpenMode::write_truncate, file));
    if (done) done = fill(put);
    if (done) done = as_result(disk_->sync(*file));
    if (done) done = as_result(disk_->rename(draft, name));
    if (done) done = sync_names();
    return done;
  }
  Result<void> sync_names() override { return as_result(disk_->sync_names()); }

 private:
  static Result<void> as_result(std::int64_t result) {
    if (result < 0) return fail(Error::from_errno(static_cast<int>(-result), "the folder"));
    return {};
  }

  std::shared_ptr<sim::Disk> disk_;
};

}  // namespace gossamer::support
