// For tests: nodes of a shared crawl in the simulated world. Each has an engine that fetches from
// the servers of a test, and all know the same modelled Redis.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/task.h"
#include "base/error.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "engine/engine.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "net/connector.h"
#include "node/link_outbox.h"
#include "node/process.h"
#include "node/shared_node.h"
#include "redis/client.h"
#include "redis/slot.h"
#include "store/repeated_page.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/named_hosts.h"
#include "tests/support/steered_crawl.h"
#include "tests/support/test_web.h"
#include "wire/cookie_jar.h"

namespace gossamer::node {

// What the process of a node does, and what it was told.
class SceneProcess final : public Process {
 public:
  async::Task<Result<void>> sync() override {
    ++syncs;
    co_return on_sync ? on_sync() : Result<void>();
  }
  void commit() override { ++commits; }
  void mark_repeated(const std::vector<store::RepeatedPage>& pages) override {
    repeated.insert(repeated.end(), pages.begin(), pages.end());
  }
  void say(const std::string& text) override { said.push_back(text); }
  WallTime wall_now() override {
    return WallTime{.seconds = 1'700'000'000} + (async::Loop::current().now() - start_);
  }
  std::uint64_t draw() override { return random_.next(); }
  std::string report() override { return R"({"pages": 7})"; }
  async::Task<void> execute(std::string order) override {
    orders.push_back(order);
    if (on_order) on_order(order);
    co_return;
  }

  std::size_t syncs = 0;
  std::size_t commits = 0;
  std::vector<store::RepeatedPage> repeated;
  std::vector<std::string> said;
  std::vector<std::string> orders;
  std::move_only_function<Result<void>()> on_sync;
  std::move_only_function<void(const std::string& order)> on_order;

 private:
  const Instant start_ = async::Loop::current().now();
  base::Random random_{5};
};

struct SceneOptions {
  std::optional<std::uint64_t> pages_max;
  std::uint32_t hosts_per_domain_max = 0;
  bool is_level_by_level = false;
  Duration ttl = 30s;
  Duration lost_after = 60s;
  std::size_t hosts_max = 64;
  std::uint32_t partitions = 4;
};

// One node, from its start to its end.
class SceneNode {
 public:
  // BORROWS: all.
  SceneNode(crawler::World& world, const crawler::Settings& settings, redis::Client& client,
            std::size_t number, const SceneOptions& options)
      : world_(world),
        settings_(settings),
        client_(client),
        number_(number),
        options_(options),
        crawl(
            client,
            {.crawl = "m", .node = "n" + std::to_string(number), .lost_after = options.lost_after}),
        frontier(client,
                 {.crawl = "m",
                  .partitions = options.partitions,
                  .ttl = options.ttl,
                  .hosts_per_domain_max = options.hosts_per_domain_max,
                  .is_level_by_level = options.is_level_by_level},
                 [this] { return process.draw(); }) {}

  // BORROWS: this.
  async::Task<void> live() {
    auto facts = co_await crawl.join(
        {.settings = "s", .pages_max = options_.pages_max, .identity = "identity"});
    EXPECT_TRUE(facts.has_value()) << facts.error().to_string();
    using Prepare = cluster::SharedFrontier::Prepare;
    EXPECT_TRUE(co_await frontier.prepare(facts->identity,
                                          facts->has_begun ? Prepare::verify : Prepare::make));
    crawler::FrontierOptions plan = crawler::frontier_options({settings_}, world_);
    plan.pages_max.reset();
    if (facts->pages_left) plan.pages_max = 0;
    plan.is_level_by_level = false;
    const auto share = std::make_shared<crawler::FrontierShare>(plan);
    node_.emplace(SharedNode::Servers{client_, crawl, frontier}, share->work,
                  NodeOptions{.crawl = "m",
                              .number = 100 + number_,
                              .ttl = options_.ttl,
                              .lost_after = options_.lost_after,
                              .address_gap = settings_.politeness.address_gap,
                              .hosts_max = options_.hosts_max,
                              .facts = *facts});
    crawler::Frontier local(async::Loop::current(), plan, share, {.leases = &*node_});
    crawler::Engine engine(world_, {settings_}, local, sink, cookies, &*node_);
    node_->join_in(engine, local, cookies, process);
    share->pauses.share_addresses([this](const async::Endpoint& address, Instant now) {
      return node_->start_at(address, now);
    });
    engine_ = &engine;
    async::Scope tasks(async::OnFailure::keep_going);
    tasks.spawn(node_->run());
    auto ended = co_await engine.run();
    tasks.cancel();
    static_cast<void>(co_await tasks.join());
    end = ended ? *ended : *engine.failure_reason();
    if (!ended) failure = std::move(ended).error();
    left = co_await node_->leave(*end);
    engine_ = nullptr;
    has_left = true;
  }

  crawler::Engine& engine() { return *engine_; }
  bool is_running() const { return engine_ != nullptr; }
  SharedNode& node() { return *node_; }

 private:
  crawler::World& world_;
  const crawler::Settings& settings_;
  redis::Client& client_;
  const std::size_t number_;
  const SceneOptions& options_;

 public:
  SceneProcess process;
  crawler::SteeredSink sink;
  wire::CookieJar cookies;
  cluster::SharedCrawl crawl;
  cluster::SharedFrontier frontier;
  std::optional<crawler::EndReason> end;  // empty: it runs
  std::optional<Error> failure;
  Result<void> left;
  bool has_left = false;

 private:
  std::optional<SharedNode> node_;
  crawler::Engine* engine_ = nullptr;
};

// The crawl "m" and its nodes. A test starts the nodes, waits for what should happen, and looks.
class NodeScene {
 public:
  using Play = async::Task<void> (*)(NodeScene& scene);

  explicit NodeScene(std::vector<std::string> roots) {
    settings.roots = std::move(roots);
    settings.detects_soft_404 = false;
    settings.concurrency = 8;
  }

  void run(Play play) {
    crawled = web.visit([this, play](crawler::World& world) { return begin(world, play); });
    EXPECT_TRUE(crawled.problems.empty()) << crawled.problems.front();
  }

  // Starts another node.
  SceneNode& start() {
    nodes.push_back(
        std::make_unique<SceneNode>(*world_, settings, *client_, nodes.size(), options));
    lives_->spawn(nodes.back()->live());
    return *nodes.back();
  }
  // Waits for a condition. Fails the test if it does not come true in time. BORROWS: this.
  async::Task<void> until(std::move_only_function<bool()> condition, Duration most = 10min) {
    const Instant end = async::Loop::current().now() + most;
    while (!condition() && async::Loop::current().now() < end) {
      static_cast<void>(co_await async::sleep(10ms));
    }
    EXPECT_TRUE(condition()) << "after " << most / 1s << " s";
  }
  // Waits until all nodes have ended. BORROWS: this.
  async::Task<void> until_over(Duration most = 10min) {
    return until(
        [this] { return std::ranges::all_of(nodes, [](const auto& n) { return n->has_left; }); },
        most);
  }
  // Waits until a node has fetched that many pages. BORROWS: this.
  async::Task<void> until_fetched(std::size_t pages) {
    return until([this, pages] { return fetched().size() >= pages; });
  }

  // Runs a command on the server of a key. BORROWS: this.
  async::Task<redis::Reply> ask(std::string key, std::vector<std::string> words) {
    auto reply = co_await client_->run(
        {.slot = redis::slot_of(key), .words = std::move(words)},
        {.deadline = async::Loop::current().now() + 10s, .lane = redis::Lane::quick});
    EXPECT_TRUE(reply.has_value()) << reply.error().to_string();
    co_return reply ? std::move(*reply) : redis::Reply();
  }
  // The pages of all nodes, sorted.
  std::vector<std::string> fetched() const {
    std::vector<std::string> all;
    for (const auto& each : nodes) {
      all.insert(all.end(), each->sink.urls.begin(), each->sink.urls.end());
    }
    std::ranges::sort(all);
    return all;
  }
  cluster::SharedFrontier::Counts sums() const {
    return {.found = static_cast<std::uint64_t>(servers->sum("a")),
            .ended = static_cast<std::uint64_t>(servers->sum("e")),
            .leased = static_cast<std::uint64_t>(servers->sum("l"))};
  }
  redis::Client& client() { return *client_; }

  crawler::TestWeb web;
  crawler::Settings settings;
  SceneOptions options;
  std::optional<redis_model::Cluster> servers;
  std::vector<std::unique_ptr<SceneNode>> nodes;
  crawler::Crawled crawled;

 private:
  // BORROWS: the world.
  async::Task<void> begin(crawler::World& world, Play play) {
    world_ = &world;
    servers.emplace(redis_model::ClusterOptions{.masters = 2, .replicas = 0}, base::Random(1));
    servers->start();
    sim::NamedHosts names(1);
    net::Connector connector(names);
    async::Scope connections(async::OnFailure::keep_going);
    async::Scope lives(async::OnFailure::keep_going);
    lives_ = &lives;
    client_.emplace(redis::Access{.connector = &connector},
                    redis::ClientOptions{.seeds = servers->seeds(0), .connection = {}},
                    connections);
    const Instant soon = async::Loop::current().now() + 20s;
    EXPECT_TRUE(co_await client_->open(soon));
    EXPECT_TRUE(co_await cluster::install_functions(*client_, soon));
    co_await play(*this);
    for (const auto& each : nodes) {
      if (each->is_running()) each->engine().abort();
    }
    static_cast<void>(co_await lives.join());
    client_->close();
    static_cast<void>(co_await connections.join());
    client_.reset();
    co_await servers->stop();
    servers.reset();
  }

  crawler::World* world_ = nullptr;
  async::Scope* lives_ = nullptr;
  std::optional<redis::Client> client_;
};

inline const std::vector<std::string> kSceneHosts = {"a.example", "b.example", "c.example"};

// Three hosts, each with a root and this many pages. Every page links to the root of the next host.
inline std::vector<std::string> three_hosts(NodeScene& scene, int pages, Duration delay = 20ms) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < kSceneHosts.size(); ++i) {
    const std::string origin = "http://" + kSceneHosts[i] + "/";
    const std::string next = "<a href='http://" + kSceneHosts[(i + 1) % kSceneHosts.size()] + "/'>";
    crawler::Reply root = crawler::page_of_links(pages);
    root.body += next;
    root.delay = delay;
    scene.web.at(origin, root);
    scene.web.otherwise(kSceneHosts[i], {.body = next, .delay = delay});
    all.push_back(origin);
    for (int page = 0; page < pages; ++page) all.push_back(origin + std::to_string(page));
  }
  scene.settings.scope.kind = crawler::ScopeKind::any;
  std::ranges::sort(all);
  return all;
}

inline std::string partition_of_host(std::string_view host) {
  return cluster::partition_key("m", partition_of(host, SceneOptions().partitions));
}

}  // namespace gossamer::node
