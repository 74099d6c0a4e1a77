// For tests: a machine that loses power, fills its disk and kills its processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "async/loop.h"
#include "async/task.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "net/resolver.h"
#include "run/machine/machine.h"
#include "tests/simulated/disk.h"
#include "tests/support/simulated_tables.h"

namespace gossamer::support {

// The storage that survives processes: a crawl directory and a few files of the user.
struct SimulatedStorage {
  struct File {
    std::string content;
    std::optional<std::string> before;  // the contents that a power cut may restore
    std::int64_t changed_at = 0;
  };

  explicit SimulatedStorage(std::shared_ptr<sim::Disk> files) : disk(std::move(files)) {}

  // While it is full, only little can be written.
  void set_full(bool is_full);
  // Without room, every write fails, and nobody can tell it before.
  void set_room(bool room);
  // Unsynced data may be lost.
  void cut_power(base::Random& random);
  // Prepares the next process: faults for an earlier one no longer apply.
  void reopen();

  store::SimulatedTables tables;
  std::shared_ptr<sim::Disk> disk;           // of the archive
  std::optional<std::string> configuration;  // empty: the directory is new
  std::map<std::string, File, std::less<>> files;
  std::uint64_t free_bytes = kPlenty;
  bool has_room = true;

  static constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40;
};

// The machine of one process. All its loops are the current loop.
class SimulatedMachine : public run::Machine {
 public:
  // REQUIRES: a loop runs, and its disk is that of the storage. BORROWS: storage and names.
  SimulatedMachine(SimulatedStorage& storage, net::Resolver& names, std::uint64_t seed,
                   WallTime wall_start);
  ~SimulatedMachine() override;
  SimulatedMachine(const SimulatedMachine&) = delete;
  SimulatedMachine& operator=(const SimulatedMachine&) = delete;

  // From now on, the process has no effect on the storage.
  void die();
  // The process dies before its n-th operation from now on; 1 is the next. An operation is every
  // access to the storage.
  void die_before(std::uint64_t n) { last_operation_ = operations_ + n; }
  // The n-th operation from now on finds no room if it writes, the next one does again.
  void fill_before(std::uint64_t n) { operation_without_room_ = operations_ + n; }
  void on_death(std::move_only_function<void()> callback) { on_death_ = std::move(callback); }
  bool is_dead() const { return is_dead_; }
  std::uint64_t operations() const { return operations_; }
  // Of shared crawls. The processes of all nodes must have the same number.
  void set_partitions(std::uint32_t partitions) { partitions_ = partitions; }
  // Counts an operation. Returns false if the process is dead.
  bool pass();

  SimulatedStorage& storage() { return storage_; }
  // The names that the current loop resolves.
  virtual net::Resolver& names() { return names_; }

  WallTime now() override;
  std::uint64_t draw() override { return random_.next(); }
  std::string process_name() override { return "simulated"; }
  async::Task<Result<std::unique_ptr<run::WebAccess>>> open_web(async::Scope& lookups,
                                                                run::WebOptions options) override;
  std::unique_ptr<run::LoopThread> start_loop(async::DriverKind driver, LoopWork work,
                                              LoopFailure on_failure) override;
  std::size_t packing_threads() override { return 0; }
  std::size_t syncing_threads() override { return 0; }
  std::uint32_t partitions() override { return partitions_; }
  Result<std::unique_ptr<run::JobHome>> open_job(const std::string& path) override;
  Result<std::unique_ptr<store::ArchiveFiles>> open_archive(const std::string& folder,
                                                            bool is_inner) override;
  std::string read_file(const std::string& path) override;
  Result<void> write_file(const std::string& path, std::string_view content) override;
  std::int64_t changed_at(const std::string& path) override;

 private:
  SimulatedStorage& storage_;
  net::Resolver& names_;
  base::Random random_;
  const WallTime wall_start_;
  const Instant loop_start_;
  std::move_only_function<void()> on_death_;
  std::uint64_t operations_ = 0;
  std::uint64_t last_operation_ = 0;          // 0: no limit
  std::uint64_t operation_without_room_ = 0;  // 0: none
  std::uint32_t partitions_ = cluster::kPartitions;
  bool is_dead_ = false;
};

}  // namespace gossamer::support
