#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "crawl/statistics.h"
#include "run/job_settings.h"
#include "run/machine.h"
#include "store/journal.h"
#include "store/tables.h"

namespace gossamer::run {

// Fetching again what a crawl directory has. One that an earlier run has begun is brought to its
// end first.
struct Refresh {
  WallTime start;
  Duration older_than = Duration::zero();
  std::string from;        // the first page that is not queued yet
  bool is_queued = false;  // all of them are
};

// A crawl directory that this process has opened. What it is used for comes in stages, each made of
// the one before: JobStore, JobPages (pages have a table), JobRun (queues are there).
class JobStore {
 public:
  // Makes the folder, or opens what is there. Fails with Errc::invalid_argument if that was begun
  // with other settings, and as Machine::open_job() does. BORROWS: the machine.
  static Result<std::unique_ptr<JobStore>> open(const JobSettings& settings,
                                                Machine& machine = this_machine());

  Machine& machine() { return machine_; }
  const std::string& path() const { return home_->path(); }
  // Where the crawl writes its log.
  std::string log() const { return path() + "/crawl.log"; }
  // For keys that do not fit into memory.
  std::unique_ptr<crawler::RunStorage> make_run_storage() { return home_->make_run_storage(); }
  store::Tables& tables() { return *tables_; }
  store::Journal& journal() { return journal_; }
  std::uint64_t memory_share() const { return memory_share_; }

  // An earlier process was at work here.
  bool is_continued() const { return is_continued_; }
  // No earlier run was cut short.
  bool had_ended() const { return had_ended_; }
  // What earlier runs came to.
  const crawler::Statistics& before() const { return before_; }
  // Nothing: pages are not fetched again.
  const std::optional<Refresh>& refresh() const { return refresh_; }

  // The disk has room for more.
  bool has_room() const;

 private:
  JobStore(Machine& machine, std::unique_ptr<JobHome> home, std::unique_ptr<store::Tables> tables,
           const JobSettings& settings);
  Result<void> read_state();
  Result<void> begin_refresh(const JobSettings& settings);

  Machine& machine_;
  const std::unique_ptr<JobHome> home_;
  const std::unique_ptr<store::Tables> tables_;
  store::Journal journal_;
  const std::uint64_t memory_share_;
  const std::uint64_t disk_reserve_;
  crawler::Statistics before_;
  bool is_continued_ = false;
  bool had_ended_ = false;
  std::optional<Refresh> refresh_;
};

// Rows of Table::meta.
inline constexpr std::string_view kStateKey = "state";
inline constexpr std::string_view kRefreshKey = "refresh";  // the one that is under way

}  // namespace gossamer::run
