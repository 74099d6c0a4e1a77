// The machine that a crawl runs on: clock, random numbers, network, threads and disk.
//
// This is an interface. It is implemented by this machine and, in tests, by a simulated one that
// can lose power.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "async/driver.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/error.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "render/browser_pipe.h"
#include "run/machine/web_access.h"
#include "scope/run_storage.h"
#include "store/archive_files.h"
#include "store/tables.h"

namespace gossamer::run {

// A crawl directory. While this exists, no other process writes there.
class JobHome {
 public:
  virtual ~JobHome() = default;

  virtual const std::string& path() const = 0;
  // True if there is no configuration yet.
  virtual bool is_new() const = 0;
  virtual Result<std::string> read_configuration() const = 0;
  // Replaces the file atomically; it is on the disk when this returns.
  virtual Result<void> write_configuration(const std::string& text) = 0;
  // True if write_configuration() would sign the configuration, and it is not signed yet.
  virtual bool lacks_signature() const { return false; }
  // Opens or creates the tables. They use at most this much memory. The directory has no seal then.
  virtual Result<std::unique_ptr<store::Tables>> open_tables(std::uint64_t memory_bytes) = 0;
  // Seals the directory, so that later damage is noticed. REQUIRES: the tables and the archive are
  // closed.
  virtual Result<void> seal() = 0;
  // What is damaged, and does not keep the crawl from continuing: files of the archive that differ
  // from the seal of the last run, and once the tables are open, the end of their log.
  virtual const std::vector<std::string>& damage() const = 0;
  // For keys that do not fit into memory.
  virtual std::unique_ptr<crawler::RunStorage> make_run_storage() = 0;
  // The free space in bytes.
  virtual Result<std::uint64_t> free_bytes() const = 0;
};

// Another loop and its work.
class LoopThread {
 public:
  // REQUIRES: join() has ended.
  virtual ~LoopThread() = default;
  // Waits until the work has ended; may block the thread. REQUIRES: it ends by itself.
  // BORROWS: this.
  virtual async::Task<void> join() = 0;
};

// All functions are thread-safe.
class Machine {
 public:
  virtual ~Machine() = default;

  // The time of day.
  virtual WallTime now() = 0;
  // Unpredictable numbers.
  virtual std::uint64_t draw() = 0;
  // Names the process for people: "HOST-PID".
  virtual std::string process_name();

  // Makes the network of the current loop. BORROWS: the scope, for lookups; its children must end
  // before the result is destroyed.
  virtual async::Task<Result<std::unique_ptr<WebAccess>>> open_web(async::Scope& lookups,
                                                                   WebOptions options) = 0;

  // Makes what starts the browsers of the current loop.
  virtual std::unique_ptr<render::BrowserLauncher> make_browsers();

  // Runs `work` on a new loop. If the loop cannot be made, calls `on_failure` instead, on any
  // thread.
  using LoopWork = std::move_only_function<async::Task<void>(async::Loop& loop)>;
  using LoopFailure = std::move_only_function<void(Error error)>;
  virtual std::unique_ptr<LoopThread> start_loop(async::DriverKind driver, LoopWork work,
                                                 LoopFailure on_failure) = 0;
  // The number of threads that compress pages; 0: the loop does it.
  virtual std::size_t packing_threads() = 0;
  // The number of threads that wait for the disk; 0: the loop does it.
  virtual std::size_t syncing_threads() = 0;
  // Of a shared crawl. All of its nodes must have the same number: only simulated crawls have
  // fewer than kPartitions.
  virtual std::uint32_t partitions() { return cluster::kPartitions; }

  // Creates or opens a crawl directory. Fails as store::JobFolder::open() does, and with
  // Errc::malformed if the tables are damaged.
  virtual Result<std::unique_ptr<JobHome>> open_job(const std::string& path) = 0;
  // Creates the folder if necessary.
  // `is_inner`: the folder is in a crawl directory, so it must not be a link.
  virtual Result<std::unique_ptr<store::ArchiveFiles>> open_archive(const std::string& folder,
                                                                    bool is_inner) = 0;

  // Returns the contents of a file; empty if it cannot be read.
  virtual std::string read_file(const std::string& path) = 0;
  // Replaces a file atomically; it is on the disk when this returns, and only its owner may read
  // it.
  virtual Result<void> write_file(const std::string& path, std::string_view content) = 0;
  // The time of its last change in nanoseconds since 1970; 0: there is no such file.
  virtual std::int64_t changed_at(const std::string& path) = 0;
};

// The machine of this process.
Machine& this_machine();

}  // namespace gossamer::run
