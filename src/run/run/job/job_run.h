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
#include "frontier/backlog.h"
#include "frontier/frontier.h"
#include "frontier/site_number.h"
#include "frontier/target_queue.h"
#include "net/tls_context.h"
#include "record/record.h"
#include "record/statistics.h"
#include "run/job/job_pages.h"
#include "scope/run_storage.h"
#include "settings/crawl_settings.h"
#include "store/archive.h"
#include "store/repeated_page.h"
#include "store/stored_cookies.h"
#include "store/stored_hosts.h"
#include "store/stored_tickets.h"
#include "store/stored_work.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// A crawl directory during a crawl: queues, cookies and the disk.
class JobRun {
 public:
  // `archive` is nullptr if there is none. BORROWS: pages and archive.
  JobRun(JobPages& pages, store::Archive* archive, const CrawlSettings& settings,
         store::StoredClock clock);
  ~JobRun();

  // Returns the stored queue of a loop.
  crawler::Backlog& backlog_of(std::size_t loop) { return *shares_[loop]; }

  // Begins a run. If the directory has the queue: in a refresh, queues the old pages; if the
  // earlier run finished, URLs with temporary failures. A process that dies meanwhile loses none
  // and queues none twice. REQUIRES: no loop has recalled yet.
  Result<void> begin(bool has_queue);
  // The number of such failures.
  std::size_t retried() const { return retried_; }

  // Fills a loop's jar with the crawl's cookies and stores later changes. Cookie files that changed
  // since they were last read override stored cookies. Any thread may call it.
  // REQUIRES: that loop's frontier has recalled. BORROWS: this, for the life of the jar.
  void keep_cookies(wire::CookieJar& cookies, std::size_t loop, const CookieFiles& files);

  // Gives a loop the TLS sessions that earlier runs had with its sites. It resumes them instead of
  // making new ones. Any thread may call both functions.
  void restore_sessions(net::TlsContext& tls, std::size_t loop);
  // Takes the sessions of a loop after its last request. REQUIRES: finish() has not been called.
  void store_sessions(net::TlsContext& tls);

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
  void mark_repeated(const std::vector<store::RepeatedPage>& pages);
  // Waits until they are as durable as the settings demand. BORROWS: this.
  async::Task<Result<void>> make_durable();

  // Writes everything to the disk. BORROWS: this.
  async::Task<Result<void>> finish(crawler::EndReason end);

 private:
  // Loops of a shared crawl have no queues of their own; each may have any host.
  crawler::SiteShare share_of(std::size_t loop) const {
    return {.index = static_cast<std::uint32_t>(loop % shares_.size()),
            .count = static_cast<std::uint32_t>(shares_.size())};
  }
  bool has_changed(const std::string& cookie_file);
  std::string trust_in(const net::TlsOptions& options);
  void note_refresh(std::string_view from);
  void fetch_again(const crawler::FetchRecord& record);
  Result<void> queue_refresh();
  Result<void> queue_failures();
  Result<void> commit_all();
  async::Task<Result<void>> sync_archive();
  async::Task<Result<void>> sync_often();
  async::Task<Result<void>> sync();
  async::Task<Result<void>> watch_room();

  JobPages& pages_;
  JobStore& store_;
  store::Journal& journal_;
  store::Archive* const archive_;  // nullptr: none
  const crawler::CrawlOrder order_;
  std::size_t retried_ = 0;
  async::ThreadPool syncer_;
  store::StoredWork work_;
  std::vector<std::unique_ptr<crawler::RunStorage>> seen_runs_;  // of each loop
  std::vector<std::unique_ptr<store::StoredShare>> shares_;      // of each loop
  store::StoredCookies cookies_;
  store::StoredTickets tickets_;
  std::map<std::string, bool> has_changed_;  // cookie files; guarded by the journal's lock
  std::string trust_;                        // of TLS sessions; guarded by the journal's lock
  std::shared_ptr<Watched> watched_;         // nullptr: no longer watched
};

}  // namespace gossamer::run
