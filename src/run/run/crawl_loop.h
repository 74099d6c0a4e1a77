#pragma once

#include <cstddef>
#include <memory>

#include "async/loop.h"
#include "async/task.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/setup/options.h"
#include "engine/shards/shards.h"
#include "frontier/backlog.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "node/process.h"
#include "record/page_sink.h"
#include "run/control/crawl_progress.h"
#include "run/crawl_rendering.h"
#include "run/job/kept_sessions.h"
#include "run/machine/machine.h"
#include "run/machine/web_access.h"
#include "run/shared/shared_run.h"
#include "settings/crawl_settings.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// One loop of a crawl, the first or another: its frontier, its engine and its cookies.
class CrawlLoop {
 public:
  // BORROWS: all.
  struct Parts {
    Machine& machine;
    const CrawlSettings& settings;  // only what a moved one keeps
    async::Loop& loop;
    base::Random random;  // seeded by the machine
    WebAccess& web;
    const KeptSessions& sessions;
    const crawler::FrontierOptions& frontier;
    crawler::PageSink& sink;
    crawler::BodyFiles* bodies;  // World::bodies
    WallTime wall_start;         // the time of day at `loop_start`
    Instant loop_start;
    crawler::Shards* shards;              // nullptr: there is no other loop
    std::size_t index = 0;                // of this one
    SharedRun* shared = nullptr;          // nullptr: the crawl is not shared
    crawler::Backlog* backlog = nullptr;  // where it stores its queue; nullptr: nowhere
  };
  CrawlLoop(const Parts& parts, crawler::Options options);
  // REQUIRES: run() has ended, if it was called.
  ~CrawlLoop() = default;
  CrawlLoop(const CrawlLoop&) = delete;
  CrawlLoop& operator=(const CrawlLoop&) = delete;

  crawler::Engine& engine() { return engine_; }
  const crawler::Engine& engine() const { return engine_; }
  crawler::Frontier& frontier() { return frontier_; }
  wire::CookieJar& cookies() { return cookies_; }
  CrawlProgress progress() const { return progress_of(engine_, frontier_); }

  // Gives the loop the sessions with its sites, and takes them.
  void begin_sessions() { sessions_.begin(web_, cookies_, index_); }
  void end_sessions() { sessions_.end(web_); }

  // Other loops reach this one from now on.
  void join_in() {
    if (shard_ != nullptr) shard_->join_in(loop_, engine_);
  }
  // Runs the engine until the crawl has ended, and until no other loop reaches this one.
  // `process` is nullptr if the crawl is not shared. REQUIRES: join_in(). BORROWS: this.
  async::Task<Result<crawler::EndReason>> run(std::unique_ptr<node::Process> process);

 private:
  std::shared_ptr<crawler::FrontierShare> make_share(const Parts& parts);
  crawler::Peers* peers();

  async::Loop& loop_;
  WebAccess& web_;
  const KeptSessions& sessions_;
  crawler::Shard* const shard_;
  const std::size_t index_;
  SharedRun* const shared_;
  base::Random random_;
  wire::CookieJar cookies_;
  CrawlRendering rendering_;
  crawler::World world_;
  std::unique_ptr<node::Process> process_;  // outlives what calls it
  crawler::Frontier frontier_;
  crawler::Engine engine_;
};

}  // namespace gossamer::run
