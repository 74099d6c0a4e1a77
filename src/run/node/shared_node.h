// One node of a shared crawl: the connection between the engine of this process and Redis.
//
//   engine --- send() ---> LinkOutbox -- add() ------> Redis
//   engine <-- mail() ---- HostLease <------ lease() ----- Redis
//   engine --- end() ----> HostLease ------- complete() -> Redis
//
// Every exchange with Redis goes in this order: what has ended is noted, the links that were found
// until then are added, the pages are made durable, and only then the completions are sent. So a
// page ends in Redis after its links and its record are safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "async/event.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "engine/engine.h"
#include "engine/page/peers.h"
#include "frontier/frontier.h"
#include "frontier/open_work.h"
#include "frontier/work_log.h"
#include "node/address_reservations.h"
#include "node/cluster_trouble.h"
#include "node/crawl_watch.h"
#include "node/lease_book.h"
#include "node/lease_pace.h"
#include "node/link_outbox.h"
#include "node/page_allowance.h"
#include "node/process.h"
#include "redis/client.h"
#include "store/repeated_page.h"
#include "wire/cookie_jar.h"

namespace gossamer::node {

struct NodeOptions {
  std::string crawl;         // its name
  std::uint64_t number = 0;  // differs from those of other nodes
  Duration ttl = 30s;
  // Redis forgets a node that is silent for this long, and gives its pages to others.
  Duration lost_after = 60s;
  Duration address_gap = 500ms;  // between requests to one address
  // BOUND: hosts that this node leases.
  std::size_t hosts_max = 256;
  // The crawl as this node found it.
  cluster::CrawlFacts facts;
  // The other loops of this process, each of which is a node, too; nullptr: none. BORROWED.
  crawler::Peers* loops = nullptr;
};

class SharedNode final : public crawler::Peers,
                         public crawler::WorkLog,
                         private CrawlWatch::Holder {
 public:
  struct Servers {
    redis::Client& client;
    cluster::SharedCrawl& crawl;
    cluster::SharedFrontier& frontier;
  };

  // BORROWS: the servers and `work`.
  SharedNode(Servers servers, crawler::OpenWork& work, NodeOptions options);
  SharedNode(const SharedNode&) = delete;
  SharedNode& operator=(const SharedNode&) = delete;
  ~SharedNode() = default;

  // Connects the engine; call it before Engine::run(). BORROWS: all.
  void join_in(crawler::Engine& engine, crawler::Frontier& frontier, wire::CookieJar& cookies,
               Process& process);
  // Exchanges work with Redis until the crawl has ended or it is cancelled. BORROWS: this.
  async::Task<Result<void>> run();
  // Gives everything back; if Redis does not answer, until it is cancelled. REQUIRES: the engine
  // and run() have ended. BORROWS: this.
  async::Task<Result<void>> leave(crawler::EndReason reason);
  // For crawler::SharedPauses: other nodes share the pauses of addresses.
  std::optional<Instant> start_at(const async::Endpoint& address, Instant now) {
    return addresses_.start_at(address, now);
  }

  // Peers.
  std::optional<crawler::Verdict> send(const url::Url& url, std::uint64_t fingerprint,
                                       const crawler::Target& facts) override;
  bool send_refused(std::string_view, std::uint64_t, crawler::SkipReason, const crawler::Target&,
                    std::string_view) override {
    return false;
  }
  bool is_own(const url::Url&) override { return !options_.facts.has_begun; }
  void widen(const url::Url& root) override { watch_.widen(root); }
  void has_begun() override {
    are_roots_added_ = true;
    news_.set();
  }
  bool hold_open() override { return work_.hold_unless_done(); }
  void let_go() override { work_.release(); }
  // Other loops may still have pages of the page limit.
  void stop(crawler::EndReason reason) override {
    const bool is_own = reason == crawler::EndReason::page_limit;
    if (options_.loops != nullptr && !is_own) options_.loops->stop(reason);
  }
  std::uint64_t add_wire_bytes(std::uint64_t bytes) override {
    return options_.loops != nullptr ? options_.loops->add_wire_bytes(bytes) : wire_bytes_ += bytes;
  }

  // WorkLog.
  void end(std::uint64_t ticket) override;
  void note_host(std::string_view hostname, const crawler::PaceMemory& pace) override;
  void note_rules(std::string_view origin, std::string_view source, Instant good_until) override;
  std::optional<crawler::PaceMemory> pace_of(std::string_view hostname) override;
  std::optional<crawler::StoredRules> rules_of(std::string_view origin) override;
  void commit() override { process_->commit(); }
  void note_counts(std::uint64_t ticket, std::span<const crawler::StoredCount> counts) override {
    const LeaseBook::Place place = book_.find(ticket);
    if (place.lease != nullptr) place.lease->note_counts(place.number, counts);
  }
  std::uint64_t follow_up(std::uint64_t ticket) override;

 private:
  async::Task<Result<void>> exchange();
  async::Task<Result<void>> exchange_once();
  async::Task<Result<void>> wait_for_news();
  async::Task<Result<void>> add_links();
  // BORROWS: this.
  async::Task<Result<void>> complete(std::vector<LeaseNews> news);
  Result<void> take(const LeaseNews& sent, Result<cluster::Completed> result);
  async::Task<Result<void>> take_pages();
  async::Task<Result<void>> lease();
  async::Task<Result<void>> renew();
  async::Task<Result<void>> renew_once();

  void open(cluster::LeasedHost host);
  // Requests may start until its lease ends, unless the host leaves or is held up.
  void extend(const HostLease& lease);
  // Holds up hosts that wait for Redis, if much of them is held, so that others continue.
  void hold_up_waiting();
  // Passes the URLs to the engine, unless the host leaves.
  void deliver(HostLease& lease, std::vector<cluster::UrlBatch> batches);
  void look_after_hosts();
  void lose(HostLease& lease);
  void note_repeated(HostLease& lease, std::string url);
  // Reports URLs that Redis did not accept.
  void report_refused();
  // False if the node leaves, or is paused for longer. Perhaps only this node is: its disk is full,
  // or its user paused it.
  bool is_at_work() const {
    return !is_leaving_ && (!paused_since_ || now() - *paused_since_ <= options_.ttl);
  }
  // A host needs more URLs, or is done.
  void note_hungry();
  void tell_pressure();
  bool is_full() const;
  static Instant now() { return async::Loop::current().now(); }

  // CrawlWatch::Holder.
  bool is_idle() const override { return book_.size() == 0 && outbox_.size() == 0 && is_begun_; }
  bool is_busy() const override;
  void on_counts(const cluster::SharedFrontier::Counts& counts) override;
  void on_news() override { news_.set(); }
  void on_end() override { work_.release(); }

  const Servers servers_;
  crawler::OpenWork& work_;
  const NodeOptions options_;
  Process* process_ = nullptr;
  crawler::Engine* engine_ = nullptr;
  crawler::Frontier* frontier_ = nullptr;
  wire::CookieJar* cookies_ = nullptr;

  LinkOutbox outbox_;
  LeaseBook book_;
  async::Event news_;
  std::size_t ended_ = 0;    // URLs since the last exchange
  std::size_t hungry_ = 0;   // how often hosts got hungry since the last exchange
  std::size_t unknown_ = 0;  // ended URLs that Redis does not know
  std::size_t waiting_ = 0;  // ended URLs of hosts that wait for Redis, at the last exchange
  Instant exchanged_at_ = Instant::min();  // when Redis last took all, or nothing was to be sent
  LeasePace lease_pace_;
  AddressReservations addresses_;
  PageAllowance pages_;
  ClusterTrouble trouble_;
  CrawlWatch watch_;
  std::optional<Instant> paused_since_;
  Instant last_answer_ = Instant::min();  // of any host
  std::uint64_t wire_bytes_ = 0;
  std::vector<store::RepeatedPage> repeated_;  // pages that another node fetches again
  bool are_roots_added_ = false;
  bool is_begun_;
  bool is_leaving_ = false;
};

}  // namespace gossamer::node
