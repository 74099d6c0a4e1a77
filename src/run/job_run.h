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

// A crawl directory while a crawl is at work there: queues, cookies, and the disk.
class JobRun {
 public:
  struct Options {
    crawler::CrawlOrder order = crawler::CrawlOrder::breadth_first;
    std::uint32_t loops = 1;
    // What the loop's clock means outside this process.
    WallTime wall_start;
    Instant loop_start;
  };

  // `archive` is nullptr where there is none. BORROWS: all but the options.
  JobRun(JobPages& pages, store::Archive* archive, Options options);
  ~JobRun();

  // What waits, for one of the loops.
  crawler::Backlog& backlog_of(std::size_t loop) { return *shares_[loop]; }

  // If a refresh is wanted: queues the pages that are old. The frontier is that of the first loop;
  // no other one may have recalled.
  Result<void> queue_refresh(crawler::Frontier& frontier);
  // If an earlier run came to its end: queues the URLs that failed for reasons that may pass, and
  // gives how many. As queue_refresh().
  Result<std::size_t> queue_failures(crawler::Frontier& frontier);

  // Puts into a loop's jar the cookies of the crawl so far, and keeps those to come. Of the files,
  // those that were changed since they were last read have the last word. Any thread.
  // REQUIRES: that loop's frontier has recalled. BORROWS: this, for the life of the jar.
  void keep_cookies(wire::CookieJar& cookies, std::size_t loop, const CookieFiles& files);

  // Looks after the disk while the crawl is running: syncs, pauses while there is no room, gives up
  // when something fails for good. Calls the engine's side on the loop that runs.
  struct Watched {
    std::move_only_function<void()> pause;
    std::move_only_function<void()> resume;
    std::move_only_function<void(Error error)> give_up;
    std::move_only_function<void(const std::string& text)> say;  // to the user
  };
  // BORROWS: the scope, whose children end before finish().
  void watch(async::Scope& watchers, Watched watched);

  // Everything that was told is on the disk. BORROWS: this.
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
  std::shared_ptr<Watched> watched_;         // nullptr: nobody watches any more
};

}  // namespace gossamer::run
