#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "node/shared_node.h"
#include "redis/client.h"
#include "run/control_protocol.h"
#include "run/crawl_progress.h"
#include "run/crawl_settings.h"
#include "run/job_run.h"
#include "run/machine.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// A node of a shared crawl: its connections to Redis and its part of the crawl.
class SharedRun {
 public:
  // Reads the settings that the first node of the crawl brought. Fails with Errc::not_found if
  // there is no such crawl. BORROWS: all.
  static async::Task<Result<std::string>> read_settings(const ClusterSettings& cluster,
                                                        net::Resolver& resolver,
                                                        async::Scope& connections);
  // Connects and joins the crawl. Fails with Errc::invalid_argument if the settings differ from
  // those of the crawl, and as redis::Client::open() does. BORROWS: all but the settings.
  static async::Task<Result<std::unique_ptr<SharedRun>>> join(const CrawlSettings& settings,
                                                              net::Resolver& resolver,
                                                              async::Scope& connections,
                                                              Machine& machine);
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  // Makes the node and what it shares with its frontier. Call it once.
  std::shared_ptr<crawler::FrontierShare> make_node(const crawler::FrontierOptions& options);
  // REQUIRES: make_node() was called.
  node::SharedNode& node() { return *node_; }

  struct Parts {
    crawler::Engine& engine;
    crawler::Frontier& frontier;
    wire::CookieJar& cookies;
    JobRun& job;
    std::move_only_function<CrawlProgress()> progress;
    std::move_only_function<void(const std::string& text)> say;
    // Executes a request of a user, and returns the reply.
    std::move_only_function<async::Task<std::string>(ControlRequest request)> steer;
  };
  // Runs the engine until the shared crawl has ended, or this node. BORROWS: this and the parts.
  async::Task<Result<crawler::EndReason>> crawl(Parts parts);
  // Ends all connections.
  void close() { client_.close(); }

 private:
  SharedRun(const CrawlSettings& settings, net::Resolver& resolver, redis::ServerUrl url,
            redis::Access access, async::Scope& connections, Machine& machine);
  Duration lost_after() const;
  // Executes an order for all nodes. BORROWS: this and the parts.
  async::Task<void> execute(Parts& parts, std::string order);
  async::Task<Result<void>> join_crawl(std::string settings,
                                       std::optional<std::uint64_t> pages_max);

  Machine& machine_;
  const std::string crawl_name_;
  const Duration lease_;
  const std::size_t concurrency_;
  const std::uint32_t hosts_per_domain_max_;
  net::Connector connector_;
  redis::Client client_;
  std::optional<cluster::SharedCrawl> crawl_;
  std::optional<cluster::SharedFrontier> frontier_;
  cluster::CrawlFacts facts_;
  std::shared_ptr<crawler::FrontierShare> share_;
  std::optional<node::SharedNode> node_;
  std::set<std::string> blocked_;  // BOUND: cluster::SharedCrawl accepts few orders
};

}  // namespace gossamer::run
