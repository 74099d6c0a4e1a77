#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "engine/engine.h"
#include "frontier/frontier.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "node/process.h"
#include "node/shared_node.h"
#include "redis/client.h"
#include "run/machine/machine.h"
#include "settings/cluster_settings.h"
#include "settings/crawl_settings.h"
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
  // Tells the user something.
  using Say = std::move_only_function<void(const std::string& text)>;
  // Connects and joins the crawl; each loop of a process is a node. While a master does not answer,
  // it says so once and waits up to a minute for its replica. Fails with Errc::invalid_argument if
  // the settings differ from those of the crawl, and as redis::Client::open() does. BORROWS: all.
  static async::Task<Result<std::unique_ptr<SharedRun>>> join(const CrawlSettings& settings,
                                                              net::Resolver& resolver,
                                                              async::Scope& connections,
                                                              Machine& machine, Say say);
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  // Makes the node and what it shares with its frontier. `loops` are the others of this process;
  // nullptr: none. Call it once. BORROWS: the loops.
  std::shared_ptr<crawler::FrontierShare> make_node(const crawler::FrontierOptions& options,
                                                    crawler::Peers* loops);
  // REQUIRES: make_node() was called.
  node::SharedNode& node() { return *node_; }

  struct Parts {
    crawler::Engine& engine;
    crawler::Frontier& frontier;
    wire::CookieJar& cookies;
    node::Process& process;
  };
  // Runs the engine until the shared crawl has ended, or this node. BORROWS: this and the parts.
  async::Task<Result<crawler::EndReason>> crawl(Parts parts);
  // Leaves the crawl, unless crawl() did, and ends all connections. BORROWS: this.
  async::Task<void> close();

 private:
  SharedRun(const CrawlSettings& settings, net::Resolver& resolver, redis::ServerUrl url,
            redis::Access access, async::Scope& connections, Machine& machine);
  Duration lost_after() const;
  // REQUIRES: it has joined. BORROWS: this.
  async::Task<Result<void>> leave();
  // BORROWS: this and the settings.
  async::Task<Result<void>> join_patiently(const CrawlSettings& settings, Say say);
  // REQUIRES: the client was opened. BORROWS: this and the settings.
  async::Task<Result<void>> join_crawl(const CrawlSettings& settings);

  Machine& machine_;
  const std::string crawl_name_;
  const std::string node_name_;
  const Duration lease_;
  const std::size_t concurrency_;
  const std::uint32_t loops_;
  net::Connector connector_;
  redis::Client client_;
  std::optional<cluster::SharedCrawl> crawl_;
  bool is_member_ = false;  // it has joined, and has not left
  std::optional<cluster::SharedFrontier> frontier_;
  cluster::CrawlFacts facts_;
  std::shared_ptr<crawler::FrontierShare> share_;
  std::optional<node::SharedNode> node_;
};

}  // namespace gossamer::run
