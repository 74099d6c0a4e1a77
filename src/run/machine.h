// The machine that a crawl runs on: clock, chance, network, threads and disk.
//
// A port. Behind it is this machine, or, in tests, a simulated one that can lose its power.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "async/driver.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/error.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/frontier/run_storage.h"
#include "run/web_access.h"
#include "store/archive_files.h"
#include "store/tables.h"

namespace gossamer::run {

// A crawl directory. While this exists, no other process writes there.
class JobHome {
 public:
  virtual ~JobHome() = default;

  virtual const std::string& path() const = 0;
  // Nobody has written a configuration yet.
  virtual bool is_new() const = 0;
  virtual Result<std::string> read_configuration() const = 0;
  // Replaced whole, and on the disk when this returns.
  virtual Result<void> write_configuration(const std::string& text) = 0;
  // Makes them if there are none. At most so much of them is in memory.
  virtual Result<std::unique_ptr<store::Tables>> open_tables(std::uint64_t memory_bytes) = 0;
  // For keys that do not fit into memory.
  virtual std::unique_ptr<crawler::RunStorage> make_run_storage() = 0;
  // Bytes that can still be written there.
  virtual Result<std::uint64_t> free_bytes() const = 0;
};

// A further loop, and the work on it.
class LoopThread {
 public:
  // REQUIRES: join() has ended.
  virtual ~LoopThread() = default;
  // Waits until the work has ended. REQUIRES: it ends by itself. May hold the thread. BORROWS:
  // this.
  virtual async::Task<void> join() = 0;
};

// Any thread may call any of it.
class Machine {
 public:
  virtual ~Machine() = default;

  // The time of day.
  virtual WallTime now() = 0;
  // Numbers that nobody can guess.
  virtual std::uint64_t draw() = 0;

  // For the loop that runs. BORROWS: the scope, for the lookups; its children must have ended
  // before the result dies.
  virtual async::Task<Result<std::unique_ptr<WebAccess>>> open_web(async::Scope& lookups,
                                                                   WebOptions options) = 0;

  // Runs `work` on a loop of its own. `on_failure` is called instead, on whatever thread, if there
  // cannot be one.
  using LoopWork = std::move_only_function<async::Task<void>(async::Loop& loop)>;
  using LoopFailure = std::move_only_function<void(Error error)>;
  virtual std::unique_ptr<LoopThread> start_loop(async::DriverKind driver, LoopWork work,
                                                 LoopFailure on_failure) = 0;
  // How many threads compress pages; 0: the loop does it.
  virtual std::size_t packing_threads() = 0;
  // How many threads wait for the disk; 0: the loop does.
  virtual std::size_t syncing_threads() = 0;

  // Makes the directory, or opens what is there. Fails as store::JobFolder::open() does.
  virtual Result<std::unique_ptr<JobHome>> open_job(const std::string& path) = 0;
  // Makes the folder if there is none.
  virtual Result<std::unique_ptr<store::ArchiveFiles>> open_archive(const std::string& folder) = 0;

  // The content of a file; empty if it cannot be read.
  virtual std::string read_file(const std::string& path) = 0;
  // Replaced whole, on the disk when this returns, and for its owner alone to read.
  virtual Result<void> write_file(const std::string& path, std::string_view content) = 0;
  // When it was written last, in nanoseconds since 1970; 0: there is no such file.
  virtual std::int64_t changed_at(const std::string& path) = 0;
};

// The one that this process runs on.
Machine& this_machine();

}  // namespace gossamer::run
