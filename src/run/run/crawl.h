// A complete crawl: network, logins, loops, crawl directory, archive, cookies and control.
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
#include "engine/setup/options.h"
#include "record/page_sink.h"
#include "record/statistics.h"
#include "run/control/crawl_progress.h"
#include "run/crawl_listener.h"
#include "run/failure.h"
#include "run/job/job_store.h"
#include "run/machine/machine.h"
#include "run/machine/web_access.h"
#include "settings/crawl_settings.h"
#include "wire/cookie.h"

namespace gossamer::run {

struct CrawlEnd {
  crawler::EndReason reason = crawler::EndReason::finished;
  crawler::Statistics statistics;                        // of this run
  std::optional<crawler::Statistics> statistics_of_job;  // of all runs in its directory
  Duration took = Duration::zero();
  std::optional<Failure> failure;  // a failure during the crawl
};

class PageStages;
class SharedRun;

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

  // Runs the crawl on the current loop; call it once. Fails if the crawl cannot start.
  // BORROWS: this and the listener.
  async::Task<Outcome<CrawlEnd>> run(CrawlListener& listener);

  // Stops the crawl, on its loop: requests in flight may finish. The second time, they are dropped.
  void stop();
  // The same with a reason, such as a failed sink.
  void stop_because(crawler::EndReason reason);
  void pause();
  void resume();
  CrawlProgress progress();
  // Prints what each task waits for.
  void dump(std::move_only_function<void(const std::string& text)> print);

 private:
  class Running;
  // BORROWS: all.
  async::Task<Outcome<CrawlEnd>> run_in(WebAccess& web, CrawlListener& listener);
  // Runs with the cookies of logins. `node` is nullptr if the crawl is not shared, or if it was
  // stopped before it had joined. BORROWS: all but the cookies.
  async::Task<Outcome<CrawlEnd>> run_as(WebAccess& web, CrawlListener& listener, SharedRun* node,
                                        std::vector<wire::Cookie> session);
  // Closes the stages before the first request. REQUIRES: is_stopped_early(). BORROWS: the stages.
  async::Task<Outcome<CrawlEnd>> end_early(PageStages& stages);
  // Runs the stages, and passes on what was requested before. BORROWS: the stages.
  async::Task<Outcome<CrawlEnd>> steer(Running& running);
  // Logs in, unless the crawl is stopped before. BORROWS: all.
  async::Task<Outcome<std::vector<wire::Cookie>>> log_in(WebAccess& web);
  // Joins the shared crawl. Fails with Errc::cancelled if the crawl is stopped before. BORROWS:
  // all.
  async::Task<Result<std::unique_ptr<SharedRun>>> join(WebAccess& web, CrawlListener& listener,
                                                       async::Scope& connections);
  bool is_stopped_early() const { return early_stops_ > 0 || stop_reason_; }
  // REQUIRES: is_stopped_early()
  crawler::EndReason early_reason() const {
    using crawler::EndReason;
    return stop_reason_.value_or(early_stops_ > 1 ? EndReason::aborted : EndReason::interrupted);
  }

  CrawlSettings settings_;
  const std::unique_ptr<JobStore> job_;
  Machine& machine_;
  Running* running_ = nullptr;        // nullptr: not running
  async::Scope* starting_ = nullptr;  // during a login, or while it joins a shared crawl
  // Requests from before it ran.
  std::optional<crawler::EndReason> stop_reason_;
  std::uint32_t early_stops_ = 0;
  bool is_paused_ = false;
};

}  // namespace gossamer::run
