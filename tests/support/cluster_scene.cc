#include "tests/support/cluster_scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/log.h"
#include "base/random.h"
#include "cluster/layout.h"
#include "net/connector.h"
#include "redis/slot.h"
#include "tests/simulated/named_hosts.h"

namespace gossamer::sim {

using async::Task;

std::string host_name(std::size_t number) { return fmt::format("host-{}.example", number); }

Instant scene_now() { return async::Loop::current().now(); }

Scene::Scene(std::size_t nodes, redis_model::ClusterOptions options, std::uint64_t pages)
    : nodes_count_(nodes), options_(options) {
  base::set_log_level(base::LogLevel::error);
  options_.doors = 1 + nodes;
  plan_.world = calm_options(1);
  plan_.world.network.delay = {5ms, 5ms};
  plan_.is_calm = true;
  plan_.site.seed = 1;
  plan_.site.pages = pages;
  plan_.site.links_min = 4;
  plan_.site.links_max = 8;
  plan_.site.delay = 200ms;
  plan_.site.has_sitemap = false;
  plan_.site.hosts.clear();
  plan_.truth.roots.clear();
  for (std::uint32_t i = 0; i < kSceneHosts; ++i) {
    plan_.site.hosts.push_back(host_name(i));
    plan_.truth.roots.push_back(i);
  }
}

void Scene::run(Play play) {
  play_ = play;
  site_.emplace(plan_.site);
  World& world = world_.emplace(plan_.world, disk);
  Fate fate = {.seed = 1, .random = base::Random(1)};
  log_ = world.run(
      live_beside(plan_, *site_, fate, [this](net::Resolver& names) { return crawl(names); }));
  EXPECT_EQ(world.loop().live_tasks(), 0u);
  cluster_.reset();
}

Task<bool> Scene::until(std::function<bool()> condition, Duration most) {
  const Instant end = scene_now() + most;
  while (!condition()) {
    if (scene_now() >= end || !co_await async::sleep(20ms)) co_return false;
  }
  co_return true;
}

Task<bool> Scene::until_leased(std::size_t grants) {
  return until([this, grants] { return cluster_->grants().size() >= grants; }, 30s);
}

Task<Result<redis::Reply>> Scene::ask(std::string key, redis_model::Words words) {
  return client_->run({.slot = redis::slot_of(key), .words = std::move(words)},
                      {.deadline = scene_now() + 10s, .lane = redis::Lane::quick});
}

Task<std::int64_t> Scene::field_of(std::uint32_t partition, std::string field) {
  const std::string key = cluster::partition_key("worlds", partition);
  const auto reply = co_await ask(key, {"HGET", key, std::move(field)});
  co_return reply ? reply->as_integer(0) : -1;
}

std::set<std::string> Scene::requested() const {
  std::set<std::string> pages;
  for (const site::LogEntry& entry : log_) {
    if (entry.target != "/robots.txt") pages.insert(entry.host + entry.target);
  }
  return pages;
}

std::size_t Scene::requests_between(Instant begin, Instant end) const {
  return static_cast<std::size_t>(std::ranges::count_if(log_, [&](const site::LogEntry& entry) {
    return entry.target != "/robots.txt" && entry.begun >= begin && entry.begun < end;
  }));
}

Task<void> Scene::crawl(net::Resolver& names) {
  cluster_.emplace(options_, base::Random(1));
  cluster_->start();
  for (std::size_t i = 0; i < nodes_count_; ++i) {
    nodes_.push_back(std::make_unique<ClusterNode>(
        i, async::Loop::current(), [this] { return settings(); }, *cluster_, i, disk));
    nodes_.back()->start(names);
  }
  NamedHosts servers(1);
  net::Connector connector(servers);
  async::Scope connections(async::OnFailure::keep_going);
  client_.emplace(redis::Access{.connector = &connector},
                  redis::ClientOptions{.seeds = cluster_->seeds(0), .connection = {}}, connections);
  EXPECT_TRUE(co_await client_->open(scene_now() + 20s));
  EXPECT_TRUE(co_await play_(*this));
  for (const auto& each : nodes_) co_await each->join();
  client_->close();
  static_cast<void>(co_await connections.join());
  client_.reset();
  co_await cluster_->stop();
}

run::CrawlSettings Scene::settings() const {
  run::CrawlSettings settings = crawl_settings(plan_, *site_);
  settings.concurrency = 8;
  if (tune) tune(settings);
  return settings;
}

}  // namespace gossamer::sim
