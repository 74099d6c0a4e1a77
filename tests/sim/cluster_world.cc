#include "tests/sim/cluster_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "net/connector.h"
#include "redis/client.h"
#include "redis/slot.h"
#include "tests/simulated/named_hosts.h"

namespace gossamer::sim {
namespace {

using async::Task;

constexpr std::size_t kHostsMax = 6;
constexpr std::size_t kFaultsMax = 6;
// Of the whole world. Every node tries pages that always fail.
constexpr Duration kPatience = 30min;
constexpr Duration kOutageMax = 2min;
constexpr Duration kLargeOutageMax = 10s;  // with all partitions

Instant now() { return async::Loop::current().now(); }

// An answer wins over a failure, as in `cluster export`.
bool is_better(const crawler::FetchRecord& one, const crawler::FetchRecord& other) {
  const auto rank = [](const crawler::FetchRecord& record) {
    return std::pair(record.error.empty() && record.status, record.status.value_or(599) < 500);
  };
  return rank(one) > rank(other);
}

// Redis is used over a network that is better than the web: this is the chance of each fault.
void calm_down(NetworkOptions& network, double faults_max) {
  network.delay.least = std::min<Duration>(network.delay.least, 5ms);
  network.delay.most = std::min<Duration>(network.delay.most, 20ms);
  network.jitter = std::min<Duration>(network.jitter, 10ms);
  network.segment_bytes = {1400, 16 * 1024};
  network.window_bytes = {64 * 1024, 64 * 1024};
  network.lent_buffers_max = 64;
  network.lent_buffer_bytes = 16 * 1024;
  network.short_receive = std::min(network.short_receive, 0.1);
  for (double* const chance :
       {&network.refused, &network.unanswered, &network.breaks, &network.goes_silent}) {
    *chance = std::min(*chance, faults_max);
  }
}

}  // namespace

std::string ClusterTally::to_string() const {
  return fmt::format(
      "{} nodes, {} pages, {} fetched by several nodes, {} nodes killed, {} cut off or without a "
      "replica, {} frozen, {} masters replaced, {} hosts down "
      "for a while, {} of them in the {} worlds with levels, {} requests that a freeze delayed "
      "past "
      "the lease, {} commands in {:.0f} s of their time",
      nodes, pages, repeats, deaths, cuts, freezes, failovers, outages, outages_in_levels, levels,
      late_requests, commands, seconds);
}

ClusterWorld::ClusterWorld(std::uint64_t seed, ClusterTally& tally)
    : seed_(seed), random_(base::Random(seed).fork("cluster")), tally_(tally) {
  draw_plan();
  site_.emplace(plan_.site);
}

void ClusterWorld::draw_plan() {
  plan_ = sim::draw_plan(seed_);
  plan_.is_stranger = random_.chance(0.3);
  plan_.site.pages = 1 + random_.below(plan_.is_stranger ? 4 : 8);
  plan_.site.crawl_delay = std::min<Duration>(plan_.site.crawl_delay, 1500ms);
  const std::size_t hosts = 2 + random_.below(kHostsMax - 1);
  for (std::size_t i = plan_.site.hosts.size(); i < hosts; ++i) {
    plan_.site.hosts.push_back(fmt::format("host-{}.example", i));
    plan_.truth.roots.push_back(static_cast<std::uint32_t>(i));
  }
  plan_.site.delay = draw(1ms, 300ms);
  // Two failures of five end hosts in a few of 10,000 worlds: there are only six tries.
  plan_.name_faults = 0.25;
  loops_ = random_.chance(0.25) ? 2 + static_cast<std::uint32_t>(random_.below(2)) : 1;
  // Nodes ask all partitions again and again, which takes most of the time.
  if (random_.chance(0.95)) partitions_ = 4U << random_.below(4);
  draw_faults();
}

void ClusterWorld::draw_faults() {
  calm_down(plan_.world.network, random_.chance(0.2) ? 0.15 : 0.03);
  // No host is given up, so a level waits for a host that is down, and depths stay exact.
  plan_.has_outages = !plan_.is_calm && random_.chance(0.3);
  outages_ = draw_outages(plan_, OutageLength::minutes, random_);
  const Duration longest = partitions_ == cluster::kPartitions ? kLargeOutageMax : kOutageMax;
  for (std::optional<Outage>& outage : outages_) {
    if (outage) outage->length = std::min(outage->length, longest);
  }
  is_faultless_ = random_.chance(0.15);
  constexpr auto kLeases = std::to_array<Duration>({3s, 4s, 8s});
  lease_ = kLeases[random_.below(kLeases.size())];
}

run::CrawlSettings ClusterWorld::settings() const {
  run::CrawlSettings settings = crawl_settings(plan_, *site_);
  settings.grace = 1s;
  // Some pages always fail, and each pause is longer than the one before.
  if (!plan_.has_outages) settings.tries_max = 6;
  settings.threads = loops_;
  // A second costs as much as a thousand commands for each node, so nothing waits for long.
  settings.politeness.backoff_max = 2s;
  settings.politeness.delay_max = 2s;
  settings.politeness.probe_gap_max = 4s;
  settings.politeness.failures_max = 60'000;
  settings.web.client.deadlines.first_byte = 5s;
  settings.web.client.deadlines.idle = 5s;
  settings.cluster.lease = lease_;
  return settings;
}

redis_model::ClusterOptions ClusterWorld::draw_cluster() {
  redis_model::ClusterOptions options;
  options.masters = 1 + random_.below(3);
  options.replicas = 1 + random_.below(2);
  options.doors = 1 + nodes_.capacity();
  if (random_.chance(0.3)) options.lag = {1ms, 300ms};
  options.clock_offset_max = random_.chance(0.5) ? Duration(20ms) : Duration::zero();
  options.requires_full_coverage = random_.chance(0.3);
  return options;
}

std::vector<std::string> ClusterWorld::live() {
  nodes_.reserve(2 + random_.below(3));
  SimOptions options = plan_.world;
  options.seed = seed_;
  LoopGroup group(options);
  group_ = &group;
  Fate fate = {.seed = seed_, .random = base::Random(seed_).fork("universe"), .outages = outages_};
  auto log = group.run(group.add(), live_beside(plan_, *site_, fate, [this](net::Resolver& names) {
                         return crawl(names);
                       }));
  if (group.live_tasks() > 0) problem("a task is left over");
  trace_ = group.driver().trace_hash();
  tally_.seconds += std::chrono::duration<double>(group.driver().now().time_since_epoch()).count();
  judge(std::move(log));
  group_ = nullptr;
  nodes_.clear();
  cluster_.reset();
  return std::move(problems_);
}

Task<void> ClusterWorld::crawl(net::Resolver& names) {
  cluster_.emplace(draw_cluster(), base::Random(seed_).fork("redis"));
  cluster_->start();
  for (std::size_t i = 0; i < nodes_.capacity(); ++i) {
    nodes_.push_back(std::make_unique<ClusterNode>(
        i, group_->add(), [this] { return settings(); }, *cluster_, seed_ * 97 + i));
    nodes_.back()->set_partitions(partitions_);
  }
  async::Scope watchers(async::OnFailure::keep_going);
  watchers.spawn(give_up());
  if (!is_faultless_) watchers.spawn(cause_faults());
  for (const auto& node : nodes_) {
    node->start(names);
    if (random_.chance(0.5)) static_cast<void>(co_await async::sleep(draw(0ms, 5s)));
  }
  for (const auto& node : nodes_) co_await node->join();
  is_over_ = true;
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  co_await cluster_->stop();
}

Task<Result<void>> ClusterWorld::give_up() {
  if (auto slept = co_await async::sleep(kPatience); !slept) co_return slept;
  problem("it does not come to its end");
  for (const auto& node : nodes_) node->retire();
  co_return {};
}

// --- faults

Task<Result<void>> ClusterWorld::cause_faults() {
  // A crawl that begins while replicas are cut off never waits for replicas.
  while (cluster_->grants().empty()) {
    if (auto slept = co_await async::sleep(100ms); !slept) co_return slept;
  }
  async::Scope scope(async::OnFailure::keep_going);
  const std::uint64_t count = 1 + random_.below(kFaultsMax);
  const Duration longest = plan_.is_stranger ? Duration(8s) : Duration(1s);
  for (std::uint64_t i = 0; i < count && !is_over_; ++i) {
    if (auto slept = co_await async::sleep(draw(10ms, longest)); !slept) break;
    scope.spawn(cause(static_cast<Fault>(random_.below(kFaults))));
  }
  co_return co_await scope.join();
}

Task<Result<void>> ClusterWorld::cause(Fault fault) {
  ++caused_;
  const std::vector<std::size_t> masters = cluster_->masters();
  const std::size_t master = masters[random_.below(masters.size())];
  switch (fault) {
    case Fault::kill_master:
    case Fault::pause_master:
    case Fault::cut_replica:
    case Fault::cut_replica_then_kill_master: return trouble_master(fault, master);
    case Fault::kill_node:
    case Fault::cut_node:
    case Fault::freeze_node: return trouble_node(fault);
    case Fault::full_memory: return fill_memory(master);
    case Fault::freeze_all: break;
  }
  // All nodes stop for so long, while the clocks of servers run.
  ++tally_.freezes;
  group_->driver().advance(draw(lease_ / 2, 2 * lease_));
  for (const auto& node : nodes_) thaws_.emplace(node->number(), now());
  return []() -> Task<Result<void>> { co_return {}; }();
}

// Only a group that is well is troubled: a master that fails together with its replicas loses URLs.
Task<Result<void>> ClusterWorld::trouble_master(Fault fault, std::size_t master) {
  if (!cluster_->is_well(master)) co_return {};
  const std::vector<std::size_t> replicas = cluster_->replicas_of(master);
  const bool cuts = fault == Fault::cut_replica || fault == Fault::cut_replica_then_kill_master;
  if (cuts) {
    ++tally_.cuts;
    for (const std::size_t each : replicas) cluster_->set_linked(each, false);
    auto slept = co_await async::sleep(draw(50ms, 5s));
    if (!slept) co_return slept;
  }
  Result<void> slept;
  if (fault == Fault::pause_master) {
    cluster_->pause(master, true);
    slept = co_await async::sleep(draw(100ms, 8s));
    cluster_->pause(master, false);
  } else if (fault != Fault::cut_replica) {
    cluster_->kill(master);
    slept = co_await async::sleep(draw(500ms, 15s));
    cluster_->revive(master);
  }
  for (const std::size_t each : replicas) cluster_->set_linked(each, true);
  co_return slept;
}

Task<Result<void>> ClusterWorld::trouble_node(Fault fault) {
  ClusterNode& node = *nodes_[random_.below(nodes_.size())];
  if (!node.is_running()) co_return {};
  if (fault == Fault::kill_node) {
    node.kill(draw(10ms, 20s));
    co_return {};
  }
  if (fault == Fault::freeze_node) {
    ++tally_.freezes;
    group_->freeze(node.loop(), true);
    auto slept = co_await async::sleep(draw(100ms, 3 * lease_));
    group_->freeze(node.loop(), false);
    thaws_.emplace(node.number(), now());
    co_return slept;
  }
  ++tally_.cuts;
  cluster_->cut_door(node.door(), true);
  auto slept = co_await async::sleep(draw(100ms, 2 * lease_));
  cluster_->cut_door(node.door(), false);
  co_return slept;
}

Task<Result<void>> ClusterWorld::fill_memory(std::size_t master) {
  cluster_->set_full(master, true);
  auto slept = co_await async::sleep(draw(100ms, 5s));
  cluster_->set_full(master, false);
  co_return slept;
}

// --- the judge

void ClusterWorld::judge(std::vector<site::LogEntry> log) {
  std::erase_if(log, [this](const site::LogEntry& entry) {
    return std::ranges::any_of(
        nodes_, [&](const auto& node) { return node->is_of_dead(entry.user_agent, entry.begun); });
  });
  std::ranges::sort(log, {}, &site::LogEntry::begun);
  judge_end();
  judge_holders(log);
  Outcome outcome;
  outcome.records = merged_records();
  outcome.log = std::move(log);
  Judge judge(plan_, outcome);
  judge.check_records();
  judge.check_pauses();
  if (is_faultless_) judge.check_requests();
  for (std::string& text : judge.take_problems()) problem(std::move(text));
  tally_.nodes += nodes_.size();
  for (const auto& node : nodes_) tally_.deaths += node->deaths();
  tally_.failovers += cluster_->failovers();
  tally_.levels += plan_.truth.depth_max ? 1 : 0;
  const auto outages = static_cast<std::size_t>(
      std::ranges::count_if(outages_, [](const auto& outage) { return outage.has_value(); }));
  tally_.outages += outages;
  tally_.outages_in_levels += plan_.truth.depth_max ? outages : 0;
  tally_.commands += cluster_->commands();
}

void ClusterWorld::judge_end() {
  for (const auto& node : nodes_) {
    if (!node->has_finished()) {
      problem(fmt::format("node {} did not finish: {} {}", node->number(), node->failure(),
                          node->said()));
    }
  }
  const std::int64_t found = cluster_->sum("a");
  const std::int64_t ended = cluster_->sum("e");
  // Completions do not wait for replicas. If a master is replaced just after the last of them, the
  // crawl has ended, but the new master does not know all of them (3988).
  const bool is_counted = found == ended || (found > ended && cluster_->failovers() > 0);
  if (!is_counted) problem(fmt::format("{} URLs were found and {} ended", found, ended));
  // A master that is replaced can lose the end, which was not acknowledged then.
  const std::size_t ends = cluster_->ends();
  if (ends < 1 || ends > 1 + cluster_->failovers()) problem(fmt::format("it ended {} times", ends));
}

bool ClusterWorld::has_thawed(std::size_t node, Instant from, Instant to) const {
  const auto [first, end] = thaws_.equal_range(node);
  return std::any_of(first, end,
                     [&](const auto& each) { return each.second >= from && each.second <= to; });
}

// A node may request a host only if it is the last one that leased it, or if that one did not use
// its lease. A lease that was granted while the request may have been on its way proves nothing
// against the node, but is its right to request.
void ClusterWorld::judge_holders(const std::vector<site::LogEntry>& log) {
  const NetworkOptions& network = plan_.world.network;
  const Duration late = network.delay.most + network.jitter;
  std::map<std::string, std::vector<redis_model::Cluster::Grant>> grants;
  for (const auto& grant : cluster_->grants()) grants[grant.host].push_back(grant);
  std::map<std::pair<std::string, std::size_t>, Instant> last;  // requests, by host and node
  for (const site::LogEntry& entry : log) {
    const auto node = std::ranges::find_if(
        nodes_, [&](const auto& each) { return each->is_of(entry.user_agent); });
    if (node == nodes_.end()) continue;
    const redis_model::Cluster::Grant* holder = nullptr;
    for (const auto& grant : grants[entry.host]) {
      const bool is_own = grant.door == (*node)->door();
      if (grant.at + (is_own ? Duration::zero() : late) < entry.begun) holder = &grant;
    }
    if (holder == nullptr) {
      problem(fmt::format("{} was requested without a lease", entry.host));
      return;
    }
    const auto used = last.find({entry.host, holder->door});
    const bool is_used = used != last.end() && used->second > holder->at;
    const bool is_foreign = holder->door != (*node)->door() && is_used;
    // It was connecting when it froze, and sent the request when it thawed.
    const bool is_late =
        is_foreign && has_thawed((*node)->number(), entry.begun - late, entry.begun);
    tally_.late_requests += is_late ? 1 : 0;
    if (is_foreign && !is_late) {
      problem(fmt::format("{}{} was requested by node {} while node {} had the host", entry.host,
                          entry.target, (*node)->number(), holder->door - 1));
    }
    last[{entry.host, (*node)->door()}] = entry.begun;
  }
}

std::vector<crawler::FetchRecord> ClusterWorld::merged_records() {
  std::map<std::string, crawler::FetchRecord> best;
  std::map<std::string, std::size_t> nodes;  // that have a URL
  // A fault repeats a page at most once, and so does a connection to Redis that is silent for
  // longer than a lease.
  const bool may_be_silent =
      plan_.world.network.goes_silent > 0 || plan_.world.network.unanswered > 0;
  const std::size_t allowed = caused_ + (may_be_silent ? 1 : 0);
  for (const auto& node : nodes_) {
    for (crawler::FetchRecord& record : node->records()) {
      ++tally_.pages;
      const auto [place, is_new] = best.try_emplace(record.url, record);
      if (is_new) continue;
      ++tally_.repeats;
      if (++nodes[record.url] > allowed) problem("too many nodes have " + record.url);
      if (is_better(record, place->second)) place->second = std::move(record);
    }
  }
  std::vector<crawler::FetchRecord> all;
  for (auto& [url, record] : best) all.push_back(std::move(record));
  return all;
}

}  // namespace gossamer::sim
