#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "async/thread_pool.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/frontier/backlog.h"
#include "crawl/frontier/frontier.h"
#include "crawl/frontier/run_storage.h"
#include "crawl/frontier/target_queue.h"
#include "crawl/page/record.h"
#include "crawl/statistics.h"
#include "run/crawl_settings.h"
#include "run/job_pages.h"
#include "store/archive.h"
#include "store/stored_cookies.h"
#include "store/stored_work.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// A crawl directory during a crawl: queues, cookies and the disk.
class JobRun {
 public:
  struct Options {
    crawler::CrawlOrder order = crawler::CrawlOrder::breadth_first;
    std::uint32_t loops = 1;
    // Converts the loop's clock to the time of day.
    WallTime wall_start;
    Instant loop_start;
  };

  // `archive` is nullptr if there is none. BORROWS: all but the options.
  JobRun(JobPages& pages, store::Archive* archive, Options options);
  ~JobRun();

  // Returns the stored queue of a loop.
  crawler::Backlog& backlog_of(std::size_t loop) { return *shares_[loop]; }

  // In a refresh, queues the old pages. The frontier is that of the first loop.
  // REQUIRES: no other frontier has recalled.
  Result<void> queue_refresh(crawler::Frontier& frontier);
  // If the earlier run finished, queues URLs with temporary failures and returns their number.
  // REQUIRES: as queue_refresh().
  Result<std::size_t> queue_failures(crawler::Frontier& frontier);

  // Fills a loop's jar with the crawl's cookies and stores later changes. Cookie files that changed
  // since they were last read override stored cookies. Any thread may call it.
  // REQUIRES: that loop's frontier has recalled. BORROWS: this, for the life of the jar.
  void keep_cookies(wire::CookieJar& cookies, std::size_t loop, const CookieFiles& files);

  // Watches the disk during the crawl: syncs, pauses while the disk is full, and stops after a
  // permanent failure. Calls the engine's side on the current loop.
  struct Watched {
    std::move_only_function<void()> pause;
    std::move_only_function<void()> resume;
    std::move_only_function<void(Error error)> give_up;
    std::move_only_function<void(const std::string& text)> say;  // to the user
  };
  // BORROWS: the scope, whose children end before finish().
  void watch(async::Scope& watchers, Watched watched);

  // For nodes of a shared crawl, which have no stored queue.
  // Stores the pages since the last commit.
  void commit();
  // Another node fetches these pages again, and its records count.
  void mark_repeated(const std::vector<std::string>& urls);
  // Waits until they are as durable as the settings demand. BORROWS: this.
  async::Task<Result<void>> make_durable();

  // Writes everything to the disk. BORROWS: this.
  async::Task<Result<void>> finish(crawler::EndReason end);

 private:
  bool has_changed(const std::string& cookie_file);
  void note_refresh(std::string_view from);
  void fetch_again(crawler::Frontier& frontier, const crawler::FetchRecord& record);
  async::Task<Result<void>> sync_archive();
  async::Task<Result<void>> sync_often();
  async::Task<Result<void>> sync();
  async::Task<Result<void>> watch_room();

  JobPages& pages_;
  JobStore& store_;
  store::Journal& journal_;
  store::Archive* const archive_;  // nullptr: none
  async::ThreadPool syncer_;
  store::StoredWork work_;
  std::vector<std::unique_ptr<crawler::RunStorage>> seen_runs_;  // of each loop
  std::vector<std::unique_ptr<store::StoredShare>> shares_;      // of each loop
  store::StoredCookies cookies_;
  std::map<std::string, bool> has_changed_;  // cookie files; guarded by the journal's lock
  std::shared_ptr<Watched> watched_;         // nullptr: no longer watched
};

}  // namespace gossamer::run
