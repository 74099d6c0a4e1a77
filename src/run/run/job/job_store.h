#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "record/statistics.h"
#include "run/machine/machine.h"
#include "settings/crawl_settings.h"
#include "settings/job_settings.h"
#include "store/journal.h"
#include "store/tables.h"

namespace gossamer::run {

// A refresh of the pages in a crawl directory. An unfinished refresh of an earlier run is continued
// first.
struct Refresh {
  WallTime start;
  Duration older_than = Duration::zero();
  std::string from;        // the first page that is not queued yet
  bool is_queued = false;  // all of them are
};

// An open crawl directory. It is used in stages, each built on the one before: JobStore, JobPages
// (with the table of pages), JobRun (with the queues).
class JobStore {
 public:
  // Creates or opens the folder. Fails with Errc::invalid_argument if it was created with other
  // settings, and as Machine::open_job() does. BORROWS: the machine.
  static Result<std::unique_ptr<JobStore>> open(const JobSettings& settings,
                                                Machine& machine = this_machine());

  ~JobStore();

  // Completes the tables and seals the directory. Nothing is written afterwards. Call it once, with
  // the archive closed. If it is not called, the destructor does it, unless writing failed.
  Result<void> close();

  // Writes the configuration, if it is provisional and the folder is new. Call it before anything
  // is written to the folder.
  Result<void> keep_configuration();

  Machine& machine() { return machine_; }
  const std::string& path() const { return home_->path(); }
  // Where the crawl writes its log.
  std::string log() const { return path() + "/crawl.log"; }
  // For keys that do not fit into memory.
  std::unique_ptr<crawler::RunStorage> make_run_storage() { return home_->make_run_storage(); }
  store::Tables& tables() { return *tables_; }
  store::Journal& journal() { return journal_; }
  std::uint64_t memory_share() const { return memory_share_; }

  // What changed since the last run although it should not.
  const std::vector<std::string>& damage() const { return home_->damage(); }
  // True if an earlier process has used the folder.
  bool is_continued() const { return is_continued_; }
  // True if the last run finished.
  bool had_ended() const { return had_ended_; }
  // The statistics of earlier runs.
  const crawler::Statistics& before() const { return before_; }
  // Empty: this is not a refresh.
  const std::optional<Refresh>& refresh() const { return refresh_; }

  // What users ordered for this and all later runs: requests of the control protocol as JSON, in no
  // particular order.
  Result<std::vector<std::string>> orders() const;
  // Both write before they return, so that the change outlives a killed process. They fail if the
  // disk is full or writing fails; then nothing changes, also not later.
  Result<void> store_order(const std::string& order) { return change_order(order, true); }
  Result<void> remove_order(const std::string& order) { return change_order(order, false); }

  // True if the disk has enough free space.
  bool has_room() const;

 private:
  JobStore(Machine& machine, std::unique_ptr<JobHome> home, std::unique_ptr<store::Tables> tables,
           const JobSettings& settings);
  Result<void> change_order(const std::string& order, bool is_wanted);
  Result<void> read_state();
  Result<void> note_configuration();
  Result<void> begin_refresh(const JobSettings& settings);

  Machine& machine_;
  const std::unique_ptr<JobHome> home_;
  const std::unique_ptr<store::Tables> tables_;
  store::Journal journal_;
  const std::uint64_t memory_share_;
  const std::uint64_t disk_reserve_;
  std::string provisional_;  // the configuration; empty: it is written
  crawler::Statistics before_;
  bool is_continued_ = false;
  bool had_ended_ = false;
  bool is_closed_ = false;
  std::optional<Refresh> refresh_;
};

// Adapts the settings to a crawl directory: `pages_max` covers all runs together, and a refresh
// uses one loop. Returns whether anything is left to fetch.
bool fit_to_job(CrawlSettings& settings, const JobStore& job);

// Rows of Table::meta.
inline constexpr std::string_view kStateKey = "state";
inline constexpr std::string_view kEndKey = "end";          // report::name(), if it has ended
inline constexpr std::string_view kRefreshKey = "refresh";  // the unfinished refresh
inline constexpr std::string_view kOrderKey = "order ";     // followed by the order

}  // namespace gossamer::run
