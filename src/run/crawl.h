// A crawl, whole: network, logins, loops, crawl directory, archive, cookies and steering, from the
// first request to the last file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/options.h"
#include "crawl/page/page_sink.h"
#include "crawl/statistics.h"
#include "run/crawl_progress.h"
#include "run/crawl_settings.h"
#include "run/failure.h"
#include "run/job_store.h"
#include "run/machine.h"
#include "run/web_access.h"
#include "wire/cookie.h"

namespace gossamer::run {

// What a crawl begins with.
struct CrawlStart {
  bool is_resumed = false;    // the crawl directory is that of an earlier run, which
  std::uint64_t done = 0;     // fetched so many URLs
  std::uint64_t queued = 0;   // and left so many; at least so many if there are several loops
  std::uint64_t retried = 0;  // of these, failures that are tried again
};

struct CrawlEnd {
  crawler::EndReason reason = crawler::EndReason::finished;
  crawler::Statistics statistics;                        // of this run
  std::optional<crawler::Statistics> statistics_of_job;  // of all runs in its directory
  Duration took = Duration::zero();
  std::optional<Failure> failure;  // what went wrong under way; nothing: nothing
};

// Takes the pages of a crawl and hears how it goes. Called on the crawl's loop.
class CrawlListener {
 public:
  virtual ~CrawlListener() = default;

  // Where pages go. Called once, when the logins are made. BORROWS: the settings, for the call.
  virtual Result<crawler::PageSink*> open_sink(const CrawlSettings& settings) = 0;
  // The hooks of each loop on their way to it.
  virtual crawler::Hooks wrap(crawler::Hooks hooks) { return hooks; }
  // The first request follows.
  virtual void begin(const CrawlStart& /*start*/) {}
  // A line for people: the disk is full, say.
  virtual void say(const std::string& /*text*/) {}
  // Somebody has stopped the crawl: what is in flight may end. The second time: it may not.
  virtual void stopping(bool /*is_second*/) {}
  // The last page has reached the sink. Archive and crawl directory are closed after this.
  virtual async::Task<Result<void>> close_sink() { co_return {}; }
};

class Crawl {
 public:
  // With `job`, in that crawl directory. REQUIRES: complete(settings) succeeded. BORROWS: the
  // machine.
  explicit Crawl(CrawlSettings settings, std::unique_ptr<JobStore> job = nullptr,
                 Machine& machine = this_machine());
  ~Crawl();
  Crawl(const Crawl&) = delete;
  Crawl& operator=(const Crawl&) = delete;

  const JobStore* job() const { return job_.get(); }  // nullptr: none
  std::uint32_t loops() const { return settings_.threads; }

  // On the loop that runs. Fails if it cannot begin. Once. BORROWS: this and the listener.
  async::Task<Outcome<CrawlEnd>> run(CrawlListener& listener);

  // On that loop. No further pages; those in flight may end. The second time they may not.
  void stop();
  // The same for a reason of the caller's: a sink that failed, say.
  void stop_because(crawler::EndReason reason);
  void pause();
  void resume();
  CrawlProgress progress();
  // Has what each task waits for printed.
  void dump(std::move_only_function<void(const std::string& text)> print);

 private:
  class Running;
  // BORROWS: all.
  async::Task<Outcome<CrawlEnd>> run_in(WebAccess& web, CrawlListener& listener);
  // Logs in, unless the crawl is stopped before that is done. BORROWS: all.
  async::Task<Outcome<std::vector<wire::Cookie>>> log_in(WebAccess& web);
  bool is_stopped_early() const { return early_stops_ > 0 || stop_reason_; }

  CrawlSettings settings_;
  const std::unique_ptr<JobStore> job_;
  Machine& machine_;
  Running* running_ = nullptr;     // nullptr: not yet, or not any more
  async::Scope* login_ = nullptr;  // while one is under way
  // What was wanted before it ran.
  std::optional<crawler::EndReason> stop_reason_;
  std::uint32_t early_stops_ = 0;
  bool is_paused_ = false;
};

// What a crawl directory means for this run: `pages_max` is for all runs together, and what is
// fetched again is queued by one loop. Gives whether anything is left to fetch.
bool fit_to_job(CrawlSettings& settings, const JobStore& job);

}  // namespace gossamer::run
