#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/operation.h"
#include "base/bytes.h"
#include "base/random.h"
#include "base/time.h"
#include "tests/simulated/range.h"

namespace gossamer::sim {

// The behaviour of the simulated disk. The defaults have no faults.
struct DiskOptions {
  // How long one operation takes.
  Range<Duration> delay = {50us, 50us};
  // The chance that a read or write moves fewer bytes than requested.
  double short_transfer = 0;
  // The chance that a read, write or sync fails with EIO.
  double fails = 0;
  // Writes beyond it fail with ENOSPC.
  std::uint64_t bytes_max = std::uint64_t{1} << 40;
  // The chance that a write without sync survives a crash, whole or torn.
  double unsynced_survives = 0;

  static DiskOptions stormy(base::Random& random);
};

// One line per option.
std::string describe(const DiskOptions& options);

// A file: its current content, and what a crash would leave of it.
struct SimFile {
  struct Write {
    std::uint64_t offset;
    std::vector<std::byte> bytes;
    bool is_end = false;  // the file was truncated at the offset
  };

  std::vector<std::byte> content;
  std::vector<std::byte> durable;
  std::vector<Write> unsynced;
  bool has_durable_name = false;
  std::string durable_name;  // its name after a crash; empty: its current name
  bool crashed = false;      // opened before the last crash
};

// The files of a simulated world, in memory. It can outlive the loop that wrote to it, so that
// another one can start from what a crash left. There are no directories; a path is a name.
//
// The model: a write is visible to every reader immediately and durable after a sync of its file.
// The same holds for the name of a new file, and for truncation. Renaming and removing are durable
// after a sync of the names. A crash restores the durable state; with
// DiskOptions::unsynced_survives some of the other changes too, writes perhaps torn. Files that
// were open then fail with EIO.
class Disk {
 public:
  explicit Disk(const DiskOptions& options = {}, std::uint64_t seed = 0);

  // The operations: they return a count or 0, or -errno. Offsets and short transfers are as in
  // pread(2).
  std::int64_t open(const std::string& path, async::OpenMode mode,
                    std::shared_ptr<SimFile>& opened);
  std::int64_t read(const SimFile& file, std::uint64_t offset, MutableBytes into);
  std::int64_t write(SimFile& file, std::uint64_t offset, Bytes bytes);
  std::int64_t sync(SimFile& file);
  std::int64_t truncate(std::string_view path, std::uint64_t bytes);
  std::int64_t rename(const std::string& from, const std::string& to);
  std::int64_t remove(const std::string& path);
  std::int64_t sync_names();
  Duration draw_delay() { return draw(options_.delay, random_); }

  void crash();

  // The n-th operation from now on (1 is the next) fails with `error_number`.
  void fail_operation(std::uint64_t n, int error_number);
  // Is called before each operation; it may unplug the disk.
  void before_operation(std::move_only_function<void()> callback) {
    before_operation_ = std::move(callback);
  }
  // The process that used it is dead: whatever it still does fails with EIO and reaches nothing.
  void unplug() { is_unplugged_ = true; }
  void plug_in() { is_unplugged_ = false; }
  // While it is full, writes that need room fail with ENOSPC.
  void set_full(bool is_full) { is_full_ = is_full; }

  // The visible content, and the durable one. Nothing if there is no such file.
  std::optional<std::string> content(std::string_view path) const;
  std::optional<std::string> durable_content(std::string_view path) const;
  // Of all files.
  std::uint64_t unsynced_bytes() const;
  // Returns all names, sorted.
  std::vector<std::string> names() const;
  // Adds a durable file.
  void put(const std::string& path, std::string_view content);

 private:
  // Returns the error of this operation, 0 for none.
  int fault(double chance);
  void recover(SimFile& file);
  std::size_t transfer_size(std::size_t wanted);

  const DiskOptions options_;
  base::Random random_;
  std::map<std::string, std::shared_ptr<SimFile>, std::less<>> files_;
  std::vector<std::pair<std::string, std::shared_ptr<SimFile>>> removed_;  // not durably
  std::map<std::uint64_t, int> failures_;                                  // by operation
  std::move_only_function<void()> before_operation_;
  std::uint64_t operations_ = 0;
  std::uint64_t bytes_used_ = 0;
  bool is_unplugged_ = false;
  bool is_full_ = false;
};

}  // namespace gossamer::sim
