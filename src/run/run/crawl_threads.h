#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/error.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/setup/options.h"
#include "engine/shards/shards.h"
#include "frontier/backlog.h"
#include "frontier/frontier.h"
#include "record/page_sink.h"
#include "record/statistics.h"
#include "run/control/crawl_progress.h"
#include "run/crawl_listener.h"
#include "run/crawl_loop.h"
#include "run/job/job_run.h"
#include "run/job/kept_sessions.h"
#include "run/machine/machine.h"
#include "run/machine/web_access.h"
#include "run/shared/shared_run.h"
#include "settings/crawl_settings.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// The other loops of a crawl, one thread each. The caller runs the first loop; pages of the others
// reach the sink on it.
class CrawlThreads {
 public:
  // What all loops have in common. BORROWS: the references.
  struct Parts {
    const CrawlSettings& settings;
    const crawler::FrontierOptions& frontier;
    const KeptSessions& sessions;
    // Makes the hooks of each loop; they are called on that loop's thread.
    std::move_only_function<crawler::Hooks()> make_hooks;
    CrawlListener& listener;
    // nullptr: none. With it, a loop waits until its page has reached the sink. Each loop stores
    // its queue there, unless the crawl is shared.
    JobRun* job = nullptr;
    bool is_shared = false;
    crawler::BodyFiles* bodies = nullptr;  // World::bodies of all loops
  };
  // BORROWS: all but the functions.
  CrawlThreads(Machine& machine, async::Loop& loop, crawler::Shards& shards,
               crawler::PageSink& sink, Parts parts);
  // REQUIRES: finish() has ended.
  ~CrawlThreads();
  CrawlThreads(const CrawlThreads&) = delete;
  CrawlThreads& operator=(const CrawlThreads&) = delete;

  // Adds known redirect targets of roots to the scope. REQUIRES: not started yet.
  void take_roots(std::vector<std::string> places) { roots_ = std::move(places); }
  // Starts the threads; call it once. The caller blocks the signals that it wants before.
  void start();
  // Waits until the threads have ended and the sink has received everything.
  // REQUIRES: the first shard has left. BORROWS: this.
  async::Task<Result<void>> finish();

  // Adds their recent progress.
  void add_to(CrawlProgress& progress);
  // Prints on the first loop what each of their tasks waits for.
  using Print = std::move_only_function<void(const std::string& text)>;
  void dump(Print print);

  // REQUIRES: finish() has ended.
  // Adds their statistics.
  void add_to(crawler::Statistics& statistics) const;
  // Takes over their cookies.
  void add_to(wire::CookieJar& cookies) const;
  const std::optional<Error>& failure() const { return failure_; }
  // As Engine::failure_reason().
  std::optional<crawler::EndReason> failure_reason() const { return failure_reason_; }

 private:
  struct Worker;
  class RelayedProcess;

  // BORROWS: this and the loop.
  async::Task<void> run(async::Loop& loop, std::size_t index);
  // BORROWS: this and the loop.
  async::Task<Result<void>> crawl(async::Loop& loop, std::size_t index);
  // BORROWS: all.
  async::Task<Result<void>> crawl_with(async::Loop& loop, WebAccess& web, std::size_t index);
  // Joins the shared crawl. Fails with Errc::cancelled if the crawl is stopped before. BORROWS:
  // all.
  async::Task<Result<std::unique_ptr<SharedRun>>> join(WebAccess& web, std::size_t index,
                                                       async::Scope& connections);
  // `node` is nullptr if the crawl is not shared. BORROWS: all.
  async::Task<Result<void>> crawl_as(async::Loop& loop, WebAccess& web, std::size_t index,
                                     SharedRun* node);
  // What the process does for the node of that loop; nullptr: it is not a node.
  std::unique_ptr<node::Process> make_process(CrawlLoop& loop, std::size_t index);
  // Makes pages durable: called on that loop, and on the first one for it. BORROWS: this.
  struct Receipt;
  async::Task<Result<void>> sync(std::size_t index);
  async::Task<void> sync_for(std::size_t index, std::shared_ptr<Receipt> receipt);
  // BORROWS: all.
  static async::Task<Result<void>> tell_progress(Worker& worker, const CrawlLoop& loop);
  void give_up(std::size_t index, Error error);

  Machine& machine_;
  async::Loop& loop_;
  crawler::Shards& shards_;
  Parts parts_;
  std::vector<std::string> roots_;
  std::vector<std::unique_ptr<Worker>> workers_;  // shard 1 and up
  async::Scope relays_{async::OnFailure::keep_going};
  std::optional<Error> failure_;
  std::optional<crawler::EndReason> failure_reason_;
};

}  // namespace gossamer::run
