#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "async/thread_pool.h"
#include "base/result.h"
#include "cli/archive_session.h"
#include "cli/job_arguments.h"
#include "crawl/engine.h"
#include "crawl/frontier.h"
#include "crawl/options.h"
#include "crawl/page_sink.h"
#include "store/archive.h"
#include "store/job_folder.h"
#include "store/kept_cookies.h"
#include "store/kept_work.h"
#include "store/ledger.h"
#include "store/page_table.h"
#include "store/rocks_tables.h"
#include "store/run_file.h"
#include "wire/cookie_jar.h"

namespace gossamer::cli {

// A crawl in a folder, as long as this process is at work on it.
class CrawlJob {
 public:
  struct Times {
    WallTime wall_start;
    Instant loop_start;
  };

  // Makes the folder, or goes on with what is there. Fails with Errc::invalid_argument if that was
  // begun with other settings, and as JobFolder and RocksTables do.
  static Result<std::unique_ptr<CrawlJob>> open(const JobArguments& arguments,
                                                const crawl::Settings& settings, WallTime now);
  ~CrawlJob();

  const store::JobFolder& folder() const { return folder_; }
  // It has been at work before.
  bool is_continued() const { return is_continued_; }
  // URLs that were asked for by earlier processes.
  std::uint64_t pages_before() const { return before_.pages; }
  // What these came to.
  const crawl::Statistics& before() const { return before_; }

  // In front of the given sink: everything that reaches it is kept. Once. BORROWS: the sink.
  crawl::PageSink& keep(crawl::PageSink& next, const crawl::Settings& settings);
  // What waits, for the first of so many loops. Once. REQUIRES: nothing was asked for yet.
  crawl::Backlog& backlog(const crawl::Settings& settings, Times times, std::uint32_t loops);
  // For another one of them. REQUIRES: backlog() was called.
  crawl::Backlog& backlog_of(std::size_t loop) { return *shares_[loop]; }
  // The archive knows what it has, and waits for room as everything here does. What a power cut
  // took from it waits again, as soon as that is known: before the name of a file that is gone is
  // used again. REQUIRES: keep() was called, and backlog() is not until the archive is open.
  // BORROWS: the settings, until then.
  void settle(ArchivePlan& plan, const crawl::Settings& settings);

  // Where the roots were found to redirect to: the scope follows them, also while these are asked
  // for again. REQUIRES: keep() was called.
  Result<std::vector<std::string>> where_roots_lead(const crawl::Settings& settings) const;
  // If that is wanted, and no earlier run has begun to: asks again for the pages that are old.
  // REQUIRES: keep() and backlog() were called, and the frontier, that of the first loop, has
  // recalled, and no other has.
  Result<void> refresh(crawl::Frontier& frontier);
  // If an earlier run came to its end: queues the URLs that failed for reasons that may pass, and
  // gives how many. REQUIRES: as refresh().
  Result<std::size_t> retry_failures(crawl::Frontier& frontier);
  // Of all runs. REQUIRES: keep() was called, and no loop is at work.
  const crawl::Statistics& statistics() const { return pages_->statistics(); }
  // Pages are being asked for again: requests say what is known, so that only what has changed
  // comes.
  bool is_refreshing() const { return refresh_start_.has_value(); }
  // With what a server can tell whether a page has changed. REQUIRES: keep() was called.
  crawl::Hooks asking_for_changes(crawl::Hooks hooks);

  // Puts into a loop's jar the cookies of the crawl so far, and keeps those to come. Of the files,
  // those that were changed since they were last read have the last word. Any thread.
  // REQUIRES: that loop's frontier has recalled. BORROWS: this, for the life of the jar.
  void keep_cookies(wire::CookieJar& cookies, std::size_t loop, std::span<const std::string> files);

  // Looks after the disk while the crawl is running: syncs, pauses while there is no room, gives up
  // when something fails for good. Calls the engine's side on the loop that runs. BORROWS: all but
  // what it calls.
  struct Watched {
    std::move_only_function<void()> pause;
    std::move_only_function<void()> resume;
    std::move_only_function<void(Error error)> give_up;
    std::move_only_function<void(const std::string& text)> say;  // to the user
  };
  void watch(async::Scope& watchers, store::Archive* archive, Watched watched);

  // Everything that was told is on the disk. BORROWS: this.
  async::Task<Result<void>> finish(crawl::EndReason end);

 private:
  CrawlJob(store::JobFolder folder, std::unique_ptr<store::RocksTables> tables,
           const JobArguments& arguments);

  Result<void> begin_refresh(const JobArguments& arguments, WallTime now);
  Result<void> put_back_lost(const store::Archive& archive, const crawl::Settings& settings);
  struct RootPlace {
    std::string root;
    std::string place;
  };
  Result<std::vector<RootPlace>> root_places(const crawl::Settings& settings) const;
  bool has_changed(const std::string& cookie_file);
  void note_refresh(std::string_view from);
  void ask_for(crawl::Frontier& frontier, const crawl::FetchRecord& record);
  async::Task<Result<void>> sync_archive();
  async::Task<Result<void>> sync_often();
  async::Task<Result<void>> sync();
  async::Task<Result<void>> watch_room();
  bool has_room();

  store::JobFolder folder_;
  std::unique_ptr<store::RocksTables> tables_;
  store::Ledger ledger_;
  const std::uint64_t memory_bytes_;
  const std::uint64_t disk_reserve_;
  async::ThreadPool syncer_{1};
  std::unique_ptr<store::PageTable> pages_;
  std::unique_ptr<store::KeptWork> work_;
  std::vector<std::unique_ptr<store::RunFile>> seen_runs_;  // of each loop
  std::vector<std::unique_ptr<store::KeptShare>> shares_;   // of each loop
  std::unique_ptr<store::KnownPayloads> payloads_;
  store::KeptCookies cookies_;
  std::map<std::string, bool> has_changed_;  // cookie files; guarded by the ledger's lock
  store::Archive* archive_ = nullptr;
  Watched watched_;
  crawl::Statistics before_;
  bool is_continued_ = false;
  bool had_ended_ = false;  // no earlier run was cut short
  std::optional<WallTime> refresh_start_;
  bool begins_refresh_ = false;
  std::string refresh_from_;  // the page at which it goes on
  Duration older_than_ = Duration::zero();
};

}  // namespace gossamer::cli
