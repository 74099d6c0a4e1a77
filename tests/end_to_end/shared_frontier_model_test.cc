// Tests the functions in Redis: random sequences of calls on real servers, compared with a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "base/random.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "redis/server_url.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/end_to_end/redis_servers.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using redis::TestClient;

constexpr std::uint32_t kTestPartitions = 4;
constexpr std::uint64_t kTestHosts = 12;

// One crawl on a cluster, and the model of it.
class Comparison {
 public:
  // BORROWS: the client.
  Comparison(redis::Client& client, std::string crawl, std::uint64_t seed, std::uint32_t replicas)
      : client_(client),
        random_(seed),
        lasting_(client, {.crawl = crawl, .replicas = replicas, .ttl = 1h},
                 [this] { return random_.next(); }),
        brief_(client, {.crawl = crawl, .replicas = replicas, .ttl = 1ms, .margin = 0ms},
               [this] { return random_.next(); }) {}

  // Fails the test if Redis and the model differ. BORROWS: this.
  Task<void> run(int steps) {
    EXPECT_TRUE(co_await lasting_.prepare("test", SharedFrontier::Prepare::make));
    EXPECT_TRUE(co_await brief_.prepare("test", SharedFrontier::Prepare::verify));
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      switch (random_.below(8)) {
        case 0:
        case 1: co_await add(); break;
        case 2:
        case 3: co_await lease(); break;
        case 4:
        case 5:
        case 6: co_await complete(); break;
        default: co_await renew(); break;
      }
      if (step % 16 == 0) co_await count();
    }
    co_await drain();
  }

 private:
  static std::string host_name(std::uint64_t number) {
    return "h" + std::to_string(number) + ".{x}\r\n.example";  // worse than any host
  }
  static std::uint32_t partition_of_host(std::uint64_t number) {
    return static_cast<std::uint32_t>(number % kTestPartitions);
  }
  static std::set<std::string> hosts_of(std::uint32_t partition) {
    std::set<std::string> hosts;
    for (std::uint64_t i = partition; i < kTestHosts; i += kTestPartitions) {
      hosts.insert(host_name(i));
    }
    return hosts;
  }
  SharedFrontier& frontier(bool expires) { return expires ? brief_ : lasting_; }

  // A lease of a millisecond has expired when this is over.
  Task<void> pass_time() {
    const redis::Node node = client_.slots().masters().front().node;
    std::optional<std::int64_t> start;
    for (;;) {
      const auto time = co_await ask(client_, node, {"TIME"});
      if (!time || time->items.size() != 2) co_return;
      const std::int64_t at =
          time->items[0].as_integer(0) * 1'000'000 + time->items[1].as_integer(0);
      if (!start) start = at;
      if (at > *start + 3000) co_return;
    }
  }

  Task<void> add() {
    std::vector<FoundUrls> found;
    std::size_t fresh = 0;
    const std::uint64_t groups = 1 + random_.below(4);
    for (std::uint64_t i = 0; i < groups; ++i) {
      const std::uint64_t number = random_.below(kTestHosts);
      // One host has enough URLs for many buckets.
      const std::uint64_t range = number == 0 ? 100'000 : 60;
      Ids ids;
      const std::uint64_t size = 1 + random_.below(number == 0 ? 64 : 12);
      for (std::uint64_t j = 0; j < size; ++j) ids.push_back(random_.below(range) * 7919 + 1);
      fresh += model_.add(host_name(number), ids);
      found.push_back(found_urls(partition_of_host(number), host_name(number), ids));
    }
    // A call has the groups of a partition in their order.
    const auto added = co_await lasting_.add(found);
    EXPECT_TRUE(added.has_value()) << added.error().to_string();
    if (added) EXPECT_EQ(*added, fresh);
    const auto again = co_await lasting_.add(std::move(found));
    EXPECT_TRUE(again.has_value()) << again.error().to_string();
    if (again) EXPECT_EQ(*again, 0u) << "it can be repeated";
  }

  Task<void> lease() {
    const auto partition = static_cast<std::uint32_t>(random_.below(kTestPartitions));
    const bool expires = random_.chance(0.4);
    const auto urls = static_cast<std::uint32_t>(1 + random_.below(100));
    const std::set<std::string> hosts = hosts_of(partition);
    const bool is_limited = random_.chance(0.3) && !has_empty_holding(hosts);
    const std::uint32_t hosts_max = is_limited ? 1 : 100;
    const auto leased = co_await frontier(expires).lease(
        {.partitions = {partition}, .hosts_max = hosts_max, .urls = urls});
    EXPECT_TRUE(leased.has_value()) << leased.error().to_string();
    if (!leased) co_return;
    EXPECT_EQ(model_.lease(*leased, hosts, hosts_max, urls, expires), "");
    for (const LeasedHost& each : *leased) holdings_.emplace_back(each);
    if (expires) co_await pass_time();
  }
  bool has_empty_holding(const std::set<std::string>& hosts) {
    return std::ranges::any_of(hosts, [this](const std::string& name) {
      const FrontierModel::Host& host = model_.hosts()[name];
      return !host.token.empty() && host.has_expired && host.waiting() == 0;
    });
  }

  Completion completion_of(Holding& holding) {
    const Ids ended = holding.advance(random_.below(holding.urls() + 2));
    Completion sent = {.partition = holding.partition,
                       .host = holding.host,
                       .token = holding.token,
                       .position = holding.position(),
                       .held = holding.held(),
                       .urls = static_cast<std::uint32_t>(1 + random_.below(30)),
                       .then = static_cast<Then>(random_.below(3))};
    if (!ended.empty() && random_.chance(0.2)) sent.again = batch_of({ended.front()});
    return sent;
  }

  Task<void> complete() {
    if (holdings_.empty()) co_return;
    const std::size_t index = random_.below(holdings_.size());
    Holding& holding = holdings_[index];
    const bool expires = random_.chance(0.3);
    const Completion sent = completion_of(holding);
    const std::size_t times = random_.chance(0.3) ? 2 : 1;
    for (std::size_t i = 0; i < times; ++i) {
      const auto answers = co_await frontier(expires).complete({sent});
      const Result<Completed>& answer = answers.front();
      EXPECT_TRUE(answer.has_value()) << answer.error().to_string();
      if (!answer) co_return;
      EXPECT_EQ(model_.complete(holding, sent, *answer, expires), "");
      if (i > 0) continue;
      for (const UrlBatch& batch : answer->batches) holding.batches.push_back(live_ids(batch));
    }
    // Half of the leases that are over try again later, which must not count.
    if (sent.then == Then::release && random_.chance(0.5)) {
      holdings_.erase(holdings_.begin() + static_cast<std::ptrdiff_t>(index));
    }
    if (expires && sent.then != Then::release) co_await pass_time();
  }

  Task<void> renew() {
    if (holdings_.empty()) co_return;
    const Holding& holding = holdings_[random_.below(holdings_.size())];
    const bool expires = random_.chance(0.3);
    const bool is_held = model_.is_held(holding.host, holding.token);
    LeasedHost host = {
        .partition = holding.partition, .host = holding.host, .token = holding.token};
    const auto lost = co_await frontier(expires).renew({&host});
    EXPECT_TRUE(lost.has_value()) << lost.error().to_string();
    if (!lost) co_return;
    EXPECT_EQ(lost->empty(), is_held);
    if (is_held) model_.renew(holding.host, expires);
    if (expires) co_await pass_time();
  }

  Task<void> count() {
    const auto counts = co_await lasting_.count();
    EXPECT_TRUE(counts.has_value()) << counts.error().to_string();
    if (!counts) co_return;
    EXPECT_EQ(counts->found, model_.found());
    EXPECT_EQ(counts->ended, model_.ended());
    EXPECT_EQ(counts->leased, model_.leased());
    EXPECT_EQ(counts->hosts, model_.known());
  }

  // Ends everything, and checks that each URL ended once.
  Task<void> drain() {
    for (auto& [name, host] : model_.hosts()) {
      if (host.token.empty() || host.has_expired) continue;
      const auto held = std::ranges::find_if(holdings_, [&](const Holding& each) {
        return each.token == host.token && each.host == name;
      });
      EXPECT_NE(held, holdings_.end());
      if (held == holdings_.end()) co_return;
      Completion sent = {.partition = held->partition, .host = name, .token = host.token};
      sent.position = host.position;
      const auto answers = co_await lasting_.complete({sent});
      EXPECT_TRUE(answers.front().has_value());
      if (!answers.front()) co_return;
      EXPECT_EQ(model_.complete(*held, sent, *answers.front(), false), "");
    }
    while (!testing::Test::HasFailure()) {
      const auto counts = co_await lasting_.count();
      if (!counts || counts->open() == 0) break;
      co_await drain_once();
    }
    co_await count();
    std::size_t urls = 0;
    for (const auto& [name, host] : model_.hosts()) urls += host.seen.size();
    EXPECT_EQ(model_.ends().size(), urls) << "a URL is lost";
    for (const auto& [url, times] : model_.ends()) EXPECT_EQ(times, 1);
  }

  Task<void> drain_once() {
    for (std::uint32_t partition = 0; partition < kTestPartitions; ++partition) {
      const auto leased =
          co_await lasting_.lease({.partitions = {partition}, .hosts_max = 100, .urls = 1000});
      EXPECT_TRUE(leased.has_value()) << leased.error().to_string();
      if (!leased) co_return;
      EXPECT_EQ(model_.lease(*leased, hosts_of(partition), 100, 1000, false), "");
      std::vector<Completion> sent;
      std::vector<Holding> holdings;
      for (const LeasedHost& each : *leased) {
        Holding& holding = holdings.emplace_back(each);
        holding.advance(holding.urls());
        sent.push_back({.partition = partition,
                        .host = each.host,
                        .token = each.token,
                        .position = holding.position()});
      }
      const auto answers = co_await lasting_.complete(sent);
      for (std::size_t i = 0; i < sent.size(); ++i) {
        EXPECT_TRUE(answers[i].has_value()) << answers[i].error().to_string();
        if (!answers[i]) co_return;
        EXPECT_EQ(model_.complete(holdings[i], sent[i], *answers[i], false), "");
      }
    }
  }

  redis::Client& client_;
  base::Random random_;
  SharedFrontier lasting_;
  SharedFrontier brief_;
  FrontierModel model_;
  std::vector<Holding> holdings_;
};

Task<void> compare(std::vector<redis::Node> seeds, std::uint64_t worlds, int steps,
                   std::uint32_t replicas) {
  TestClient client(std::move(seeds));
  auto opened = co_await client->open(redis::in_time());
  if (opened) opened = co_await install_functions(*client, redis::in_time());
  EXPECT_TRUE(opened.has_value()) << opened.error().to_string();
  for (std::uint64_t seed = 1; opened && seed <= worlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto comparison =
        std::make_unique<Comparison>(*client, "test" + std::to_string(seed), seed, replicas);
    co_await comparison->run(steps);
    if (testing::Test::HasFailure()) break;
  }
  co_await client.close();
}

class SharedFrontierModelTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(redis::kRedisServer)) {
      GTEST_SKIP() << "redis-server is not installed";
    }
  }
  void run(Task<void> task) {
    async::Loop loop;
    loop.run(std::move(task));
  }
};

TEST_F(SharedFrontierModelTest, ActsLikeItsModelOnOneServer) {
  const redis::RedisServer server;
  run(compare({server.node()}, 8, 300, 0));
}

TEST_F(SharedFrontierModelTest, ActsLikeItsModelOnACluster) {
  redis::RedisCluster cluster(redis::RedisCluster::kSteady);
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  run(compare(cluster.seeds(), 3, 200, 1));
}

}  // namespace
}  // namespace gossamer::cluster
