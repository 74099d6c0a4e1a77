#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "engine/engine.h"
#include "node/cluster_trouble.h"
#include "node/crawl_levels.h"
#include "node/page_allowance.h"
#include "node/process.h"
#include "node/shared_scope.h"
#include "record/statistics.h"
#include "redis/client.h"
#include "url/url.h"

namespace gossamer::node {

// Follows the crawl as a whole for a node: its control, its orders, its scope, its levels and its
// end. Other nodes hear this one once a second, however long a count of all partitions or the step
// to another level takes.
class CrawlWatch {
 public:
  // The node. This is an interface.
  class Holder {
   public:
    // True if it has nothing that Redis does not know.
    virtual bool is_idle() const = 0;
    // True if it has so much to do that it needs no more for a while.
    virtual bool is_busy() const = 0;
    virtual void on_counts(const cluster::SharedFrontier::Counts& counts) = 0;
    // There may be something to lease.
    virtual void on_news() = 0;
    // The crawl has ended for all nodes. Called once.
    virtual void on_end() = 0;

   protected:
    ~Holder() = default;
  };
  struct Parts {
    redis::Client& client;
    cluster::SharedCrawl& crawl;
    cluster::SharedFrontier& frontier;
    PageAllowance& pages;
    ClusterTrouble& trouble;
    Holder& holder;
  };
  // `facts` are those of the crawl that the node has joined. BORROWS: the parts.
  CrawlWatch(Parts parts, const std::string& crawl, const cluster::CrawlFacts& facts);

  // REQUIRES: called before all others. BORROWS: both.
  void join_in(crawler::Engine& engine, Process& process) {
    engine_ = &engine;
    process_ = &process;
  }
  // Watches until the crawl has ended or it is cancelled. BORROWS: this.
  async::Task<Result<void>> run();
  // The node has given everything back. BORROWS: this.
  async::Task<Result<void>> leave(crawler::EndReason reason);

  // As the last beat showed it.
  cluster::CrawlFacts& facts() { return facts_; }
  bool is_ended() const { return is_ended_; }
  // False while there are orders that this node must execute before it leases: an earlier order
  // may block a host that a later one unblocks.
  bool has_executed_orders() const { return orders_executed_ >= facts_.orders; }
  // This node has found the redirect target of a root.
  void widen(const url::Url& root) { scope_.widen(root); }

 private:
  async::Task<Result<void>> beat();
  async::Task<Result<void>> beat_once();
  async::Task<Result<void>> execute_orders();
  async::Task<Result<void>> share_scope();
  async::Task<Result<void>> look_for_end();
  async::Task<Result<void>> look_once();

  void follow(const cluster::CrawlFacts& facts);
  void end();

  const Parts parts_;
  Process* process_ = nullptr;
  crawler::Engine* engine_ = nullptr;
  cluster::CrawlFacts facts_;
  SharedScope scope_;
  CrawlLevels levels_;
  std::uint64_t looks_ = 0;                 // since the last count
  std::uint64_t counted_nodes_ = 0;         // at the last count
  cluster::SharedFrontier::Counts counts_;  // the last ones
  std::size_t orders_executed_ = 0;
  bool is_ended_ = false;
};

}  // namespace gossamer::node
