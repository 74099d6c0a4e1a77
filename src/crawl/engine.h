// The crawl: beginning with the roots, fetch each page, look for links to pages that were not seen,
// put these into the frontier; the end is there when nothing is waiting and nothing is in flight.
//
// The engine holds the parts together and owns the workers. What is allowed (Scope, Traps,
// robots), when (the frontier and its politeness), how a page is fetched (Visitor) and what is
// done with it (PageSink) are decided elsewhere.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/event.h"
#include "async/intrusive_list.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "crawl/engine_events.h"
#include "crawl/fetch.h"
#include "crawl/frontier/frontier.h"
#include "crawl/options.h"
#include "crawl/origin_preparer.h"
#include "crawl/page/link_intake.h"
#include "crawl/page/page_sink.h"
#include "crawl/shards/shard_mail.h"
#include "crawl/statistics.h"
#include "crawl/visitor.h"
#include "crawl/world.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

class Shard;

class Engine final : private EngineEvents {
 public:
  // With `shard`, one of several of a crawl.
  // REQUIRES: validate(options) succeeded. BORROWS: all but the options.
  Engine(World& world, Options options, Frontier& frontier, PageSink& sink,
         wire::CookieJar& cookies, Shard* shard = nullptr);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Crawls to the end, or until it is stopped. Every page that was asked for has reached the sink
  // by then, and no coroutine of the crawl is left. Fails if the sink does, and with
  // Errc::cancelled. Once. BORROWS: the engine.
  async::Task<Result<EndReason>> run();

  // No further pages; those in flight may end, within Options::grace. The first reason counts.
  void stop(EndReason reason);
  // Gives up what is in flight, too.
  void abort() { stop(EndReason::aborted); }
  // As stop(), for this loop alone.
  void stop_here(EndReason reason);
  // The crawl ends with an error, for that reason.
  void give_up(EndReason reason, Error error);
  // With which reason; nothing: it was not called.
  std::optional<EndReason> failure_reason() const {
    return failure_ ? std::optional(failure_->reason) : std::nullopt;
  }
  // What goes to other loops, and comes from them.
  ShardMail& mail() { return mail_; }
  // What waits has been counted, so nothing more is taken.
  bool is_over() const { return is_over_; }

  // Steering, while it runs. Each engine of a crawl is told by itself.
  // Until resume() nothing is begun; requests in flight end. Options::time_max goes on.
  void pause();
  void resume();
  bool is_paused() const { return is_paused_; }
  // As the options of these names. Fetches beyond a lower concurrency end first.
  void set_concurrency(std::uint32_t concurrency);  // REQUIRES: > 0
  void set_delay(std::optional<Duration> delay);
  void set_global_gap(Duration gap);
  // As one of Options::roots; one of another loop is sent there. Nothing: the crawl is ending.
  std::optional<LinkIntake::Verdict> add_root(const url::Url& root);
  // What waits there is skipped (SkipReason::blocked) and so is all that will be found.
  void block_host(std::string_view hostname);
  // What is in flight, the oldest first.
  std::vector<FetchFacts> fetches(std::size_t count_max) const;

  const Settings& settings() const { return options_; }
  const Statistics& statistics() const { return statistics_; }
  std::uint32_t in_flight() const { return busy_; }
  Instant started() const { return started_; }

 private:
  void add_roots();
  void add_worker();
  async::Task<void> work();
  // Claims something. False: there is no more. BORROWS: the fetch.
  async::Task<bool> claim(Fetch& fetch);
  // BORROWS: all.
  async::Task<Result<void>> perform(Fetch& fetch, Result<http::Response>& answer);
  // Does all that follows the answer, if it is one. False: the worker is to end. BORROWS: all.
  async::Task<bool> complete(Fetch& fetch, Result<http::Response>& answer);
  // Not inlined: what it needs would be part of the frame that waits.
  [[gnu::noinline]] bool crash(Fetch& fetch);

  async::Task<Result<void>> watch_end();
  async::Task<Result<void>> watch_clock();
  async::Task<Result<void>> join_workers();

  void on_skip(const SkippedUrl& skipped) override;
  void on_drop(Target target, const OriginEnd& end) override;
  void on_parked(std::string_view origin) override;
  void on_cut(const Target& target) override;
  void on_record(const FetchRecord& record) override { statistics_.add(record); }
  void on_received(std::uint64_t bytes) override;
  void on_unrecorded(std::uint64_t bytes) override { statistics_.wire_bytes += bytes; }
  async::Task<Result<void>> on_shortage() override;

  // What becomes of targets that wait at a host from which nothing more is fetched.
  DropTarget dropping(std::string why_given_up);
  void tell_pace();
  async::Task<Result<void>> record_dropped();
  void end_waiting();

  World& world_;
  Options options_;
  Frontier& frontier_;
  PageSink& sink_;
  Shard* const shard_;  // among several loops; nullptr: there is only this one
  LinkIntake intake_;
  ShardMail mail_;
  OriginPreparer preparer_;
  Visitor visitor_;
  Statistics statistics_;

  async::Scope* workers_scope_ = nullptr;
  std::uint32_t workers_ = 0;
  std::uint32_t starting_ = 0;  // workers that have not claimed anything yet
  std::uint32_t busy_ = 0;
  async::IntrusiveList<Fetch> fetches_;  // what these do
  std::uint32_t concurrency_;
  std::uint64_t received_bytes_ = 0;  // by this loop, if there is a quota
  std::uint32_t since_lowered_ = 0;   // visits since there were too few descriptors
  // Still to be recorded. A host that is closed may leave millions: records are made one by one.
  struct Dropped {
    Target target;
    std::shared_ptr<const OriginEnd> end;
  };
  std::deque<Dropped> dropped_;
  async::Event ended_;
  bool is_over_ = false;
  bool is_paused_ = false;
  std::optional<EndReason> reason_;
  struct Failure {
    EndReason reason;
    Error error;
  };
  std::optional<Failure> failure_;
  Instant started_ = {};
};

}  // namespace gossamer::crawler
