#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "async/operation.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/handles.h"
#include "tests/simulated/in_flight.h"
#include "tests/simulated/timeline.h"
#include "tests/simulated/trace.h"

namespace gossamer::sim {

// The files that one simulated loop has open, and its operations on them. An operation takes effect
// in the instant in which it ends; one that is cancelled before has no effect.
class OpenFiles {
 public:
  OpenFiles(std::shared_ptr<Disk> disk, Timeline& timeline, Trace& trace, InFlight& in_flight,
            Handles& handles);

  void start(async::FileOperation& operation);
  // Withdraws a started operation, which then never ends by itself.
  void withdraw(const async::FileOperation& operation);
  // Handles file_operation_ends.
  void happen(const Event& event);

  bool contains(async::Handle handle) const { return files_.contains(handle); }
  // REQUIRES: it is a file, and no operation on it is in flight.
  void close(async::Handle handle);

  const std::shared_ptr<Disk>& disk() const { return disk_; }

 private:
  struct OpenFile {
    std::shared_ptr<SimFile> file;
    async::OpenMode mode;
  };
  struct Pending {
    std::uint32_t number;
    async::FileOperation* operation;
  };

  std::int64_t execute(async::FileOperation& operation);
  std::int64_t open(const async::FileOperation& operation);
  OpenFile& opened(async::Handle handle);

  std::shared_ptr<Disk> disk_;
  Timeline& timeline_;
  Trace& trace_;
  InFlight& in_flight_;
  Handles& handles_;
  std::unordered_map<async::Handle, OpenFile> files_;  // never iterated over
  std::vector<Pending> pending_;                       // few
  std::uint32_t next_number_ = 0;
};

}  // namespace gossamer::sim
