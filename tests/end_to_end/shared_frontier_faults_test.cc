// Workers share a frontier while a worker and a master of a real cluster die, and while connections
// are cut. Every URL must be fetched, no host may have two holders, and the end must be detected
// once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "base/check.h"
#include "base/random.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "redis/slot.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/suite.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using redis::TestClient;

constexpr std::uint64_t kUrls = 2000;
constexpr std::uint64_t kHosts = 24;
constexpr std::uint32_t kUsedPartitions = 16;

std::string host_of(std::uint64_t url) { return "h" + std::to_string(url % kHosts) + ".example"; }
std::uint32_t partition_of_url(std::uint64_t url) {
  return static_cast<std::uint32_t>(url % kHosts % kUsedPartitions);
}

// The links of a page: two new ones, and one that was seen before.
Ids links_of(std::uint64_t url) {
  Ids links;
  for (const std::uint64_t link : {2 * url + 1, 2 * url + 2, url / 3}) {
    if (link < kUrls) links.push_back(link);
  }
  return links;
}

std::vector<std::uint32_t> used_partitions() {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < kUsedPartitions; ++i) all.push_back(i);
  return all;
}

// What all workers see.
struct Observed {
  std::map<std::uint64_t, int> fetched;
  std::map<std::string, Instant> held_until;
  int two_holders = 0;
  int late = 0;
  int ends = 0;
  bool is_over = false;
  Instant give_up;

  // False: it is over, or it takes too long.
  bool is_running() const { return !is_over && async::Loop::current().now() < give_up; }
};

struct WorkerOptions {
  std::uint32_t replicas = 0;
  Duration ttl = 6s;
  Duration margin = 1s;
  std::size_t dies_after = 0;  // so many URLs, without a word; 0: it does not
};

class Worker {
 public:
  // BORROWS: what it observes.
  Worker(std::string name, std::vector<redis::Node> seeds, Observed& observed,
         WorkerOptions options)
      : client_(std::move(seeds)),
        random_(std::hash<std::string>()(name)),
        frontier_(*client_,
                  {.crawl = "faults",
                   .replicas = options.replicas,
                   .ttl = options.ttl,
                   .margin = options.margin,
                   .patience = 3s},
                  [this] { return random_.next(); }),
        crawl_(*client_, {.crawl = "faults", .node = name, .patience = support::kPatience}),
        observed_(observed),
        dies_after_(options.dies_after) {}

  // BORROWS: the worker.
  Task<Result<void>> run() {
    auto done = co_await crawl();
    EXPECT_TRUE(done.has_value()) << done.error().to_string();
    co_await client_.close();
    co_return done;
  }

 private:
  Task<Result<void>> begin() {
    const Instant deadline = redis::in_time();
    if (auto opened = co_await client_->open(deadline); !opened) co_return opened;
    if (auto loaded = co_await install_functions(*client_, deadline); !loaded) co_return loaded;
    auto facts = co_await crawl_.join({.settings = "s", .replicas = 1, .identity = "x"});
    if (!facts) co_return fail(std::move(facts).error());
    const auto how =
        facts->has_begun ? SharedFrontier::Prepare::verify : SharedFrontier::Prepare::make;
    if (auto made = co_await frontier_.prepare(facts->identity, how); !made) co_return made;
    auto added = co_await frontier_.add({found_urls(0, host_of(0), {0})});
    if (!added) co_return fail(std::move(added).error());
    co_return co_await crawl_.begin();
  }

  Task<Result<void>> crawl() {
    if (auto begun = co_await begin(); !begun) co_return begun;
    while (observed_.is_running()) {
      auto leased =
          co_await frontier_.lease({.partitions = used_partitions(), .hosts_max = 2, .urls = 8});
      if (!leased || leased->empty()) {
        if (leased) co_await look_for_end();
        if (auto slept = co_await async::sleep(50ms); !slept) co_return slept;
        continue;
      }
      for (LeasedHost& host : *leased) note_holder(host);
      for (LeasedHost& host : *leased) {
        if (auto done = co_await fetch_all(host); !done) co_return done;
        if (dies_after_ > 0 && fetched_ >= dies_after_) co_return {};
      }
    }
    co_return {};
  }

  void note_holder(const LeasedHost& host) {
    const Instant now = async::Loop::current().now();
    Instant& until = observed_.held_until[host.host];
    if (until > now) ++observed_.two_holders;
    until = host.until;
  }

  // Fetches what was leased, adds its links, and completes it. Keeps the lease while links cannot
  // be added. BORROWS: the host.
  Task<Result<void>> fetch_all(LeasedHost& host) {
    if (host.until <= async::Loop::current().now()) co_return {};
    Holding holding(host);
    std::map<std::string, Ids> links;
    for (const std::uint64_t url : holding.advance(holding.urls())) {
      ++observed_.fetched[url];
      ++fetched_;
      for (const std::uint64_t link : links_of(url)) links[host_of(link)].push_back(link);
    }
    if (dies_after_ > 0 && fetched_ >= dies_after_) co_return {};
    std::vector<FoundUrls> found;
    for (const auto& [name, ids] : links) {
      found.push_back(found_urls(partition_of_url(ids.front()), name, ids));
    }
    while (observed_.is_running()) {
      if (co_await frontier_.add(found)) break;
      const auto lost = co_await frontier_.renew({&host});
      if (lost && lost->empty()) observed_.held_until[host.host] = host.until;
      if (auto slept = co_await async::sleep(50ms); !slept) co_return slept;
    }
    observed_.held_until[host.host] = {};  // it sends no more requests
    while (observed_.is_running()) {
      const auto completed = co_await frontier_.complete({{.partition = host.partition,
                                                           .host = host.host,
                                                           .token = host.token,
                                                           .position = holding.position()}});
      if (completed.front() && completed.front()->is_lost) ++observed_.late;
      if (completed.front()) co_return {};
      if (auto slept = co_await async::sleep(50ms); !slept) co_return slept;
    }
    co_return {};
  }

  Task<void> look_for_end() {
    const auto counts = co_await frontier_.count();
    if (!counts || counts->open() > 0) co_return;
    const auto is_first = co_await crawl_.finish("done");
    if (!is_first) co_return;
    if (*is_first) ++observed_.ends;
    observed_.is_over = true;
  }

  TestClient client_;
  base::Random random_;
  SharedFrontier frontier_;
  SharedCrawl crawl_;
  Observed& observed_;
  const std::size_t dies_after_;
  std::size_t fetched_ = 0;
};

// Waits until a part is fetched, at most that long. BORROWS: what is observed.
Task<void> until_fetched(Observed& observed, std::size_t urls, Duration most = support::kPatience) {
  const Instant end = async::Loop::current().now() + most;
  while (observed.fetched.size() < urls && observed.is_running()) {
    if (async::Loop::current().now() >= end || !co_await async::sleep(5ms)) co_return;
  }
}

enum class Fault : std::uint8_t {
  none,
  master,              // a master is killed
  replica_then_master  // its replica is cut off before
};

// Ends the replication of the first master, and lets it work alone. The replica stays in the
// cluster. BORROWS: all.
Task<void> cut_off_replica(TestClient& client, redis::RedisCluster& cluster, Observed& observed) {
  // The master rejects this user when the replica connects again.
  for (const std::string name : {"masteruser", "masterauth"}) {
    static_cast<void>(co_await ask(*client, cluster.server(redis::RedisCluster::kMasters).node(),
                                   {"CONFIG", "SET", name, "nobody"}));
  }
  static_cast<void>(
      co_await ask(*client, cluster.server(0).node(), {"CLIENT", "KILL", "TYPE", "replica"}));
  co_await until_fetched(observed, kUrls / 2, 2s);
}

// Kills a master when a part is fetched, and starts it again when its replica has been promoted.
// BORROWS: both.
Task<Result<void>> kill_master(redis::RedisCluster& cluster, Observed& observed, Fault fault) {
  if (fault == Fault::none) co_return {};
  TestClient client({cluster.server(1).node()});
  co_await until_fetched(observed, kUrls / 10);
  if (fault == Fault::replica_then_master) co_await cut_off_replica(client, cluster, observed);
  const redis::Node killed = cluster.server(0).node();
  cluster.server(0).kill();
  for (bool is_promoted = false; !is_promoted && observed.is_running();) {
    if (auto slept = co_await async::sleep(50ms); !slept) co_return slept;
    const auto reply = co_await ask(*client, cluster.server(1).node(), {"CLUSTER", "SLOTS"});
    if (!reply) continue;
    const auto map = redis::SlotMap::parse(*reply, cluster.server(1).node());
    is_promoted = map && map->owner(0) && *map->owner(0) != killed;
  }
  cluster.server(0).start();
  co_await client.close();
  co_return {};
}

struct Faults {
  Fault fault = Fault::none;
  std::uint32_t replicas = 1;
};

// BORROWS: both.
Task<void> crawl_with_faults(redis::RedisCluster& cluster, Observed& observed, Faults faults) {
  std::vector<std::unique_ptr<Worker>> workers;
  async::Scope scope(async::OnFailure::keep_going);
  for (const std::size_t dies_after : {0, 0, 100}) {
    workers.push_back(std::make_unique<Worker>(
        "w" + std::to_string(workers.size()), cluster.seeds(), observed,
        WorkerOptions{.replicas = faults.replicas, .dies_after = dies_after}));
    scope.spawn(workers.back()->run());
  }
  scope.spawn(kill_master(cluster, observed, faults.fault));
  static_cast<void>(co_await scope.join());
}

// Passes bytes on between clients and a server, and cuts each connection after some bytes of
// replies: at any place, also between the execution of a call and its reply.
class CuttingProxy {
 public:
  // REQUIRES: runs on a loop.
  explicit CuttingProxy(std::uint16_t server_port) : server_port_(server_port) {
    auto listener = async::Listener::bind(async::Endpoint::loopback(0));
    CHECK(listener.has_value());
    port_ = listener->endpoint().port;
    listener_.emplace(std::move(*listener));
  }

  redis::Node node() const { return {.host = "127.0.0.1", .port = port_}; }

  // Until it is cancelled. BORROWS: the proxy.
  Task<Result<void>> run() {
    async::Scope scope(async::OnFailure::keep_going);
    while (auto client = co_await listener_->accept()) scope.spawn(serve(std::move(*client)));
    scope.cancel();
    co_return co_await scope.join();
  }

  int cuts = 0;

 private:
  Task<Result<void>> serve(async::Socket client) {
    auto server = co_await async::Socket::connect(async::Endpoint::loopback(server_port_));
    if (!server) co_return fail(std::move(server).error());
    async::Scope both(async::OnFailure::cancel_siblings);
    both.spawn(pass(client, *server, std::numeric_limits<std::size_t>::max()));
    both.spawn(pass(*server, client, 500 + random_.below(30'000)));
    co_return co_await both.join();
  }

  // BORROWS: the sockets, which the awaiting frame owns.
  Task<Result<void>> pass(async::Socket& from, async::Socket& to, std::size_t bytes_max) {
    for (;;) {
      std::string bytes;
      {
        auto lent = co_await from.receive();
        if (!lent) co_return fail(std::move(lent).error());
        if (lent->end()) co_return fail(Errc::peer_closed);
        bytes = as_text(lent->bytes().first(std::min(bytes_max, lent->size())));
      }
      bytes_max -= bytes.size();
      if (auto sent = co_await to.send(as_bytes(bytes)); !sent) co_return sent;
      if (bytes_max > 0) continue;
      ++cuts;
      co_return fail(Errc::closed);
    }
  }

  const std::uint16_t server_port_;
  std::uint16_t port_ = 0;
  std::optional<async::Listener> listener_;
  base::Random random_{7};
};

// BORROWS: what it observes.
Task<int> crawl_through_proxy(std::uint16_t server_port, Observed& observed) {
  CuttingProxy proxy(server_port);
  async::Scope serving(async::OnFailure::keep_going);
  auto proxy_task = serving.spawn(proxy.run());
  {
    std::vector<std::unique_ptr<Worker>> workers;
    async::Scope scope(async::OnFailure::keep_going);
    for (const std::string name : {"w0", "w1"}) {
      workers.push_back(std::make_unique<Worker>(name, std::vector<redis::Node>{proxy.node()},
                                                 observed,
                                                 WorkerOptions{.ttl = 1s, .margin = 200ms}));
      scope.spawn(workers.back()->run());
    }
    static_cast<void>(co_await scope.join());
  }
  proxy_task.cancel();
  static_cast<void>(co_await serving.join());
  co_return proxy.cuts;
}

TEST(SharedFrontierFaultsTest, ConnectionsAreCutAndNothingIsLost) {
  if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  const redis::RedisServer server;
  async::Loop loop;
  Observed observed = {.give_up = loop.now() + support::kPatience};
  const int cuts = loop.run(crawl_through_proxy(server.port(), observed));
  EXPECT_GT(cuts, 0);
  EXPECT_EQ(observed.fetched.size(), kUrls);
  EXPECT_EQ(observed.ends, 1);
  EXPECT_EQ(observed.two_holders, 0);
  RecordProperty("cuts", cuts);
}

TEST(SharedFrontierFaultsTest, AWorkerAndAMasterDieAndNothingIsLost) {
  if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  redis::RedisCluster cluster;
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  async::Loop loop;
  Observed observed = {.give_up = loop.now() + support::kPatience};
  loop.run(crawl_with_faults(cluster, observed, {.fault = Fault::master}));
  EXPECT_EQ(observed.fetched.size(), kUrls);
  EXPECT_EQ(observed.ends, 1);
  EXPECT_EQ(observed.two_holders, 0);
  int repeats = 0;
  for (const auto& [url, times] : observed.fetched) repeats += times - 1;
  // What the dead worker had leased, and what the dead master had not replicated.
  EXPECT_LT(repeats, static_cast<int>(kUrls / 4));
  RecordProperty("repeats", repeats);
  RecordProperty("late", observed.late);
}

// A replica that is cut off replaces its master, so everything is lost that only the master had.
std::size_t fetched_after_cut(std::uint32_t replicas, int& ends, int& two_holders) {
  redis::RedisCluster cluster;
  cluster.form();
  async::Loop loop;
  Observed observed = {.give_up = loop.now() + support::kPatience};
  loop.run(crawl_with_faults(cluster, observed,
                             {.fault = Fault::replica_then_master, .replicas = replicas}));
  ends = observed.ends;
  two_holders = observed.two_holders;
  return observed.fetched.size();
}

TEST(SharedFrontierFaultsTest, AReplicaIsCutOffAndItsMasterDiesAndNothingIsLost) {
  if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  int ends = 0;
  int two_holders = 0;
  EXPECT_EQ(fetched_after_cut(1, ends, two_holders), kUrls);
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(two_holders, 0);
}

TEST(SharedFrontierFaultsTest, WithoutWaitingForReplicasTheSameFaultLosesUrls) {
  if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  int ends = 0;
  int two_holders = 0;
  EXPECT_LT(fetched_after_cut(0, ends, two_holders), kUrls) << "the fault above does nothing";
}

}  // namespace
}  // namespace gossamer::cluster
