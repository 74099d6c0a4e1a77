#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/check.h"
#include "base/random.h"
#include "bench/cluster/contestants.h"
#include "bench/cluster/simulated_pages.h"
#include "bench/crawl/loopback_world.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "engine/engine.h"
#include "node/link_outbox.h"
#include "node/process.h"
#include "node/shared_node.h"
#include "wire/cookie_jar.h"

namespace gossamer::bench {
namespace {

using async::Task;
using cluster::SharedFrontier;

constexpr std::size_t kNodes = 4;
constexpr Duration kPatience = 5min;

// BORROWS: both.
Task<void> add_roots(SharedFrontier& frontier, LinkMaker& links) {
  node::LinkOutbox outbox;
  LinkMaker::Take take = [&](const url::Url& url, std::uint64_t fingerprint,
                             const crawler::Target& facts) { outbox.add(url, fingerprint, facts); };
  links.make_roots(take);
  const auto added = co_await frontier.add(outbox.pack());
  CHECK(added.has_value(), "{}", added.error().to_string());
  CHECK(*added == kHosts * kRootsPerHost);
}

// A node as the program makes it, but its engine fetches nothing.
class BenchNode final : private node::Process {
 public:
  BenchNode(redis::Node server, std::size_t number, BenchTables& tables, LinkMaker& links)
      : client_(std::move(server)),
        crawl_(*client_, {.crawl = "nodes", .node = fmt::format("node-{}", number), .replicas = 1}),
        shared_(*client_, {.crawl = "nodes", .replicas = 1}, [this] { return random_.next(); }),
        random_(number + 1),
        tables_(tables),
        links_(links) {}

  // The first one adds the roots. BORROWS: this.
  Task<void> join(bool is_first) {
    co_await client_.open(1);
    auto facts = co_await crawl_.join(
        {.settings = "bench", .replicas = 1, .pages_max = {}, .identity = "bench"});
    CHECK(facts.has_value(), "{}", facts.error().to_string());
    using Prepare = SharedFrontier::Prepare;
    const auto prepared =
        co_await shared_.prepare(facts->identity, is_first ? Prepare::make : Prepare::verify);
    CHECK(prepared.has_value(), "{}", prepared.error().to_string());
    if (is_first) {
      co_await add_roots(shared_, links_);
      CHECK((co_await crawl_.begin()).has_value());
    }
    facts->has_begun = true;
    node_.emplace(node::SharedNode::Servers{*client_, crawl_, shared_}, share_->work,
                  node::NodeOptions{.crawl = "nodes",
                                    .number = random_.next(),
                                    .hosts_max = std::size_t{8} * kConcurrency,
                                    .facts = std::move(*facts)});
    frontier_.emplace(async::Loop::current(), frontier_options(), share_,
                      crawler::FrontierSource{.leases = &*node_});
    engine_.emplace(world_.world(), crawler::Options(), *frontier_, tables_.pages(), cookies_,
                    &*node_);
    node_->join_in(*engine_, *frontier_, cookies_, *this);
    fetcher_.emplace(
        *frontier_, tables_, links_,
        [this](const url::Url& url, std::uint64_t fingerprint, const crawler::Target& facts) {
          static_cast<void>(node_->send(url, fingerprint, facts));
        });
  }
  // Fetches until stop(). BORROWS: this.
  Task<void> run() {
    async::Scope exchanging(async::OnFailure::keep_going);
    exchanging.spawn(node_->run());
    async::Scope fetching(async::OnFailure::keep_going);
    fetching.spawn(fetcher_->run());
    static_cast<void>(co_await stopped_.wait());
    frontier_->close();
    CHECK((co_await fetching.join()).has_value());
    exchanging.cancel();
    static_cast<void>(co_await exchanging.join());
    CHECK(!engine_->failure_reason());
    co_await client_.close();
  }
  void stop() { stopped_.set(); }

  BenchClient& client() { return client_; }
  std::uint64_t pages() const { return fetcher_->pages(); }

 private:
  // Process.
  Task<Result<void>> sync() override { return tables_.sync(); }
  void commit() override { tables_.commit(); }
  void mark_repeated(const std::vector<store::RepeatedPage>& pages) override {
    CHECK(pages.empty());
  }
  void say(const std::string& text) override { CHECK(stopped_.is_set(), "{}", text); }
  WallTime wall_now() override { return world_.world().wall(async::Loop::current().now()); }
  std::uint64_t draw() override { return random_.next(); }
  std::string report() override { return "{}"; }
  Task<void> execute(std::string) override { co_return; }

  BenchClient client_;
  cluster::SharedCrawl crawl_;
  SharedFrontier shared_;
  base::Random random_;
  BenchTables& tables_;
  LinkMaker& links_;
  LoopbackWorld world_{1};
  wire::CookieJar cookies_;
  async::Event stopped_;
  std::shared_ptr<crawler::FrontierShare> share_ =
      std::make_shared<crawler::FrontierShare>(frontier_options());
  std::optional<node::SharedNode> node_;
  std::optional<crawler::Frontier> frontier_;
  std::optional<crawler::Engine> engine_;
  std::optional<PageFetcher> fetcher_;
};

using Nodes = std::vector<std::unique_ptr<BenchNode>>;

std::uint64_t pages_of(const Nodes& nodes) {
  std::uint64_t sum = 0;
  for (const auto& node : nodes) sum += node->pages();
  return sum;
}

// BORROWS: the nodes.
Task<void> wait_for_pages(const Nodes& nodes, std::uint64_t pages) {
  const Instant deadline = async::Loop::current().now() + kPatience;
  while (pages_of(nodes) < pages) {
    CHECK(async::Loop::current().now() < deadline, "the nodes make no progress");
    static_cast<void>(co_await async::sleep(1ms));
  }
}

// BORROWS: all.
Task<PageCosts> costs_so_far(BenchClient& observer, const Nodes& nodes) {
  PageCosts costs = co_await times_so_far(observer);
  for (const auto& node : nodes) costs.add(*node->client());
  co_return costs;
}

Task<PageCosts> fetch(redis::Node server, std::string folder, PageCounts counts) {
  BenchClient observer(server);
  co_await observer.open(1);
  BenchTables tables(folder);
  LinkMaker links(counts.links);
  Nodes nodes;
  for (std::size_t i = 0; i < kNodes; ++i) {
    nodes.push_back(std::make_unique<BenchNode>(server, i, tables, links));
    co_await nodes.back()->join(i == 0);
  }
  async::Scope running(async::OnFailure::keep_going);
  for (const auto& node : nodes) running.spawn(node->run());
  co_await wait_for_pages(nodes, counts.before);
  const PageCosts begin = co_await costs_so_far(observer, nodes);
  const std::uint64_t first = pages_of(nodes);
  co_await wait_for_pages(nodes, first + counts.measured);
  const PageCosts end = co_await costs_so_far(observer, nodes);
  const PageCosts costs = per_page(begin, end, pages_of(nodes) - first);
  for (const auto& node : nodes) node->stop();
  static_cast<void>(co_await running.join());
  co_await observer.close();
  co_return costs;
}

}  // namespace

PageCosts fetch_with_nodes(PageCounts counts) {
  return measure_in_child([&] {
    const RedisMaster master(true);
    const TemporaryFolder folder;
    async::Loop loop;
    return loop.run(fetch(master.node(), folder.path() + "/tables", counts));
  });
}

}  // namespace gossamer::bench
