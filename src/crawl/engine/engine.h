// The crawl: starting with the roots, fetch each page, find links to new pages and add them to the
// frontier. The crawl ends when nothing is queued and nothing is in flight.
//
// The engine connects the parts and owns the workers. Other parts decide which URLs are allowed
// (Scope, Traps, robots), when (the frontier and its politeness), how a page is fetched (Visitor),
// and what happens to it (PageSink).
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "async/event.h"
#include "async/intrusive_list.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/fetch.h"
#include "engine/origin_preparer.h"
#include "engine/page/link_intake.h"
#include "engine/recent_failures.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "engine/shard_mail.h"
#include "engine/visitor.h"
#include "frontier/frontier.h"
#include "record/page_sink.h"
#include "record/statistics.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

class Peers;

class Engine final : private EngineEvents {
 public:
  // With `peers`, it is one of several engines of a crawl.
  // REQUIRES: validate(options) succeeded. BORROWS: all but the options.
  Engine(World& world, Options options, Frontier& frontier, PageSink& sink,
         wire::CookieJar& cookies, Peers* peers = nullptr);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Crawls until the end or until it is stopped; call it once. When it returns, every fetched page
  // has reached the sink and no coroutine of the crawl is left. Fails if the sink does, and with
  // Errc::cancelled. BORROWS: the engine.
  async::Task<Result<EndReason>> run();

  // Starts no more pages; those in flight may finish within Options::grace. The first reason wins.
  void stop(EndReason reason);
  // Also drops the requests in flight.
  void abort() { stop(EndReason::aborted); }
  // Like stop(), only for this loop.
  void stop_here(EndReason reason);
  // Ends the crawl with this error.
  void give_up(EndReason reason, Error error);
  // The reason of fail(); empty: it was not called.
  std::optional<EndReason> failure_reason() const {
    return failure_ ? std::optional(failure_->reason) : std::nullopt;
  }
  // The messages to and from other loops.
  ShardMail& mail() { return mail_; }
  // The queue has been counted, so messages are no longer accepted.
  bool is_over() const { return is_over_; }

  // Control of a running crawl; call these for each engine.
  // Starts nothing until resume(); requests in flight finish. Options::time_max keeps running.
  void pause();
  void resume();
  bool is_paused() const { return is_paused_; }
  // The same for a reason of our own, such as full buffers; both must have ended.
  void hold(bool is_held);
  // Set the options of these names. If the concurrency is lowered, running fetches finish first.
  void set_concurrency(std::uint32_t concurrency);  // REQUIRES: > 0
  void set_delay(std::optional<Duration> delay);
  void set_global_gap(Duration gap);
  // Adds a URL like one of Options::roots, and sends it to its loop if necessary. Empty: the crawl
  // is ending.
  std::optional<Verdict> add_root(const url::Url& root);
  // Records targets that were dropped while nothing is fetched. Never fails, except with
  // Errc::cancelled. BORROWS: this.
  async::Task<Result<void>> settle_dropped();
  // Skips all URLs of a host, queued and future ones (SkipReason::blocked).
  void block_host(std::string_view hostname);
  // Undoes block_host(), if it is blocked, for URLs that are found from now on.
  void unblock_host(std::string_view hostname);
  // Also of hosts that the frontier has forgotten.
  bool is_blocked(std::string_view hostname) const { return blocked_.contains(hostname); }
  // Skips all URLs that match, queued and future ones (SkipReason::excluded). Fails with
  // Errc::invalid_argument and names the error of the pattern, and with Errc::over_limit.
  Result<void> exclude(const std::string& pattern) { return intake_.exclude(pattern); }
  // Undoes exclude() for URLs that are found from now on, and for queued ones. Fails with
  // Errc::not_found if the pattern is not excluded.
  Result<void> unexclude(const std::string& pattern) { return intake_.unexclude(pattern); }
  // The fetches in flight, oldest first.
  std::vector<FetchFacts> fetches(std::size_t count_max) const;

  const Settings& settings() const { return options_; }
  const Statistics& statistics() const { return statistics_; }
  const RecentFailures& recent_failures() const { return failures_; }
  std::uint32_t in_flight() const { return busy_; }
  // The connections of the crawl.
  const http::Pool& pool() const { return world_.client.pool(); }
  Instant started() const { return started_; }
  // The time of day in records.
  WallTime wall(Instant at) const { return world_.wall(at); }

 private:
  void add_roots();
  void add_worker();
  async::Task<void> work();
  // Claims work. Returns false if there is no more. BORROWS: the fetch.
  async::Task<bool> claim(Fetch& fetch);
  // BORROWS: all.
  async::Task<Result<void>> perform(Fetch& fetch, Result<http::Response>& answer);
  // Handles a response, if there is one. Returns false if the worker must end. BORROWS: all.
  async::Task<bool> complete(Fetch& fetch, Result<http::Response>& answer);
  // Not inlined, because its locals would enlarge the frame that waits.
  [[gnu::noinline]] void crash(Fetch& fetch);

  async::Task<Result<void>> watch_end();
  async::Task<Result<void>> watch_clock();
  async::Task<Result<void>> join_workers();

  void on_skip(const SkippedUrl& skipped) override;
  void on_drop(Target target, const OriginEnd& end) override;
  void on_parked(std::string_view origin) override;
  void on_cut(const Target& target) override;
  void on_record(const FetchRecord& record) override;
  void on_received(std::uint64_t bytes) override;
  void on_unrecorded(std::uint64_t bytes) override { statistics_.wire_bytes += bytes; }
  async::Task<Result<void>> on_shortage() override;

  // Handles the queued targets of a host that is closed.
  DropTarget dropping(std::string why_given_up);
  void tell_pace();
  void tell_claims();
  async::Task<Result<void>> record_dropped();
  void end_waiting();

  World& world_;
  Options options_;
  Frontier& frontier_;
  PageSink& sink_;
  Peers* const peers_;  // nullptr: the crawl has one loop
  LinkIntake intake_;
  ShardMail mail_;
  BodyMemory body_memory_;
  OriginPreparer preparer_;
  Visitor visitor_;
  Statistics statistics_;
  RecentFailures failures_;

  async::Scope* workers_scope_ = nullptr;
  std::uint32_t workers_ = 0;
  std::uint32_t starting_ = 0;  // workers without a first claim
  std::uint32_t busy_ = 0;
  async::IntrusiveList<Fetch> fetches_;         // of the workers
  std::set<std::string, std::less<>> blocked_;  // BOUND: the orders of users
  std::uint32_t concurrency_;
  std::uint64_t received_bytes_ = 0;  // by this loop, if there is a quota
  std::uint32_t since_lowered_ = 0;   // visits since the descriptors ran out
  // Targets that still need a record. A closed host may leave millions, so records are made one by
  // one.
  struct Dropped {
    Target target;
    std::shared_ptr<const OriginEnd> end;
  };
  std::deque<Dropped> dropped_;
  async::Event ended_;
  bool is_over_ = false;
  bool is_paused_ = false;
  bool is_held_ = false;
  std::optional<EndReason> reason_;
  struct Failure {
    EndReason reason;
    Error error;
  };
  std::optional<Failure> failure_;
  Instant started_ = {};
};

}  // namespace gossamer::crawler
