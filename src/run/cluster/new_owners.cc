#include "cluster/new_owners.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "async/loop.h"
#include "base/figures.h"
#include "cluster/function_call.h"
#include "cluster/layout.h"
#include "cluster/shared_crawl.h"
#include "redis/cluster_nodes.h"
#include "redis/server_error.h"
#include "redis/slot.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Command;
using redis::Lane;
using redis::Reply;

// BOUND: replies that are held together.
constexpr std::size_t kCommandsAtOnce = 1000;
// BOUND: batches of one reply.
constexpr std::uint64_t kBatchesAtOnce = 1000;

// What functions/partition.lua writes about a host.
struct HostFacts {
  std::uint64_t seen = 0;
  std::uint64_t waiting = 0;
  std::uint64_t buckets = 0;
  std::uint64_t ended_in_first = 0;
};

std::optional<HostFacts> parse_host_facts(std::string_view text) {
  // seen, waiting, buckets, moment, token, batches ended, URLs ended in the first batch
  std::uint64_t numbers[7] = {};
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    const std::string_view word = text.substr(0, text.find(' '));
    const auto end = word.data() + word.size();
    const bool is_token = i == 4;
    if (!is_token && std::from_chars(word.data(), end, numbers[i]).ptr != end) return std::nullopt;
    if (word.size() == text.size()) return std::nullopt;
    text.remove_prefix(word.size() + 1);
  }
  return HostFacts{.seen = numbers[0],
                   .waiting = numbers[1],
                   .buckets = numbers[2],
                   .ended_in_first = numbers[6]};
}

class Acceptance {
 public:
  // BORROWS: the client.
  Acceptance(redis::Client& client, std::string crawl, Duration patience)
      : client_(client), crawl_(std::move(crawl)), patience_(patience) {}

  // BORROWS: this, also the functions below.
  Task<Result<NewOwners>> run(Duration lost_after) {
    auto checked = co_await check_is_at_rest(lost_after);
    if (!checked) co_return fail(std::move(checked).error());
    for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
      auto compared = co_await compare(partition);
      if (!compared) co_return fail(std::move(compared).error());
    }
    if (!result_.losses.empty()) co_return std::move(result_);
    auto written = co_await write_owners();
    if (!written) co_return fail(std::move(written).error());
    co_return std::move(result_);
  }

 private:
  // Fails if a node or another program may change the crawl.
  Task<Result<void>> check_is_at_rest(Duration lost_after) {
    SharedCrawl crawl(client_, {.crawl = crawl_, .node = {}, .patience = patience_});
    auto facts = co_await crawl.facts();
    if (!facts) co_return fail(std::move(facts).error());
    identity_ = facts->identity;
    has_begun_ = facts->has_begun;
    replicas_ = facts->replicas;
    auto nodes = co_await crawl.nodes();
    if (!nodes) co_return fail(std::move(nodes).error());
    for (const NodeStatus& node : *nodes) {
      if (node.unseen > lost_after) continue;
      co_return fail(
          Errc::unavailable,
          fmt::format("node {} was there {} ago; stop all nodes, and wait {} after a "
                      "node that was killed",
                      node.name, base::short_time(node.unseen), base::short_time(lost_after)));
    }
    co_return co_await check_slots();
  }

  // Fails if keys of the crawl are on the way to another master.
  Task<Result<void>> check_slots() {
    std::set<std::uint16_t> used = {redis::slot_of(crawl_key(crawl_))};
    for (std::uint32_t i = 0; i < kPartitions; ++i) {
      used.insert(redis::slot_of(partition_key(crawl_, i)));
    }
    for (const redis::SlotMap::Master& master : client_.slots().masters()) {
      auto replies = co_await client_.run_on(
          master.node, redis::Commands().add({"CLUSTER", "NODES"}), Lane::quick, soon());
      if (!replies) co_return fail(std::move(replies).error());
      if (replies->front().is_error()) {
        co_return fail(redis::error_of(replies->front().text, master.node));
      }
      auto nodes = redis::parse_cluster_nodes(replies->front().text, master.node);
      if (!nodes) co_return fail(std::move(nodes).error());
      for (const redis::ClusterNode& node : *nodes) {
        const auto slot = std::ranges::find_if(
            node.leaving, [&](std::uint16_t each) { return used.contains(each); });
        if (slot == node.leaving.end()) continue;
        co_return fail(Errc::unavailable,
                       fmt::format("slot {} is still being moved away from {}; finish that with "
                                   "`redis-cli --cluster fix`",
                                   *slot, master.node.to_string()));
      }
    }
    co_return {};
  }

  Task<Result<void>> compare(std::uint32_t partition) {
    const std::string key = partition_key(crawl_, partition);
    const std::string tag = key.substr(1);
    const std::uint16_t slot = redis::slot_of(key);
    std::vector<Command> commands;
    commands.push_back({.slot = slot, .words = {"HMGET", key, "v", "a", "e", "p"}});
    commands.push_back({.slot = slot, .words = {"HGETALL", "K" + tag}});
    auto replies = co_await read(std::move(commands));
    if (!replies) co_return fail(std::move(replies).error());
    const std::vector<Reply>& fields = (*replies)[0].items;
    if (fields.size() != 4) co_return fail(Errc::malformed, "the state of a partition in Redis");
    if (fields[0].text != identity_) {
      if (has_begun_) result_.losses.push_back(fmt::format("partition {} is missing", partition));
      co_return {};
    }
    std::map<std::string, HostFacts> hosts;
    HostFacts sum;
    const std::vector<Reply>& known = (*replies)[1].items;
    for (std::size_t i = 0; i + 1 < known.size(); i += 2) {
      const auto facts = parse_host_facts(known[i + 1].text);
      if (!facts) co_return fail(Errc::malformed, "the facts of a host in Redis");
      hosts.emplace(known[i].text, *facts);
      sum.seen += facts->seen;
      sum.waiting += facts->waiting;
    }
    const std::uint64_t open = count_of(fields[1]) - count_of(fields[2]) - count_of(fields[3]);
    report(partition, "open URLs", open, sum.waiting);
    auto seen = co_await count_seen(tag, slot, hosts);
    if (!seen) co_return fail(std::move(seen).error());
    report(partition, "seen URLs", sum.seen, *seen);
    auto queued = co_await count_queued(tag, slot, hosts);
    if (!queued) co_return fail(std::move(queued).error());
    report(partition, "queued URLs", sum.waiting, *queued);
    result_.found += count_of(fields[1]);
    co_return {};
  }

  void report(std::uint32_t partition, std::string_view what, std::uint64_t counted,
              std::uint64_t there) {
    if (counted == there) return;
    result_.losses.push_back(
        fmt::format("partition {} counts {} {} and has {}", partition, counted, what, there));
  }

  // The fingerprints in all buckets. BORROWS: the hosts.
  Task<Result<std::uint64_t>> count_seen(std::string tag, std::uint16_t slot,
                                         const std::map<std::string, HostFacts>& hosts) {
    std::uint64_t seen = 0;
    std::vector<Command> commands;
    for (const auto& [host, facts] : hosts) {
      for (std::uint64_t bucket = 0; bucket < facts.buckets; ++bucket) {
        commands.push_back(
            {.slot = slot, .words = {"SCARD", fmt::format("S{}{}:{}", tag, bucket, host)}});
        if (commands.size() < kCommandsAtOnce) continue;
        auto counted = co_await add_counts(std::exchange(commands, {}), seen);
        if (!counted) co_return fail(std::move(counted).error());
      }
    }
    auto counted = co_await add_counts(std::move(commands), seen);
    if (!counted) co_return fail(std::move(counted).error());
    co_return seen;
  }

  // BORROWS: the sum.
  Task<Result<void>> add_counts(std::vector<Command> commands, std::uint64_t& sum) {
    auto replies = co_await read(std::move(commands));
    if (!replies) co_return fail(std::move(replies).error());
    for (const Reply& reply : *replies) sum += count_of(reply);
    co_return {};
  }

  // The live URLs in all queues, without those that have ended. BORROWS: the hosts.
  Task<Result<std::uint64_t>> count_queued(std::string tag, std::uint16_t slot,
                                           const std::map<std::string, HostFacts>& hosts) {
    std::uint64_t queued = 0;
    for (const auto& [host, facts] : hosts) {
      for (std::uint64_t first = 0;; first += kBatchesAtOnce) {
        std::vector<Command> commands;
        commands.push_back({.slot = slot,
                            .words = {"LRANGE", "Q" + tag + host, std::to_string(first),
                                      std::to_string(first + kBatchesAtOnce - 1)}});
        auto replies = co_await read(std::move(commands));
        if (!replies) co_return fail(std::move(replies).error());
        for (const Reply& each : replies->front().items) {
          const auto batch = read_batch(each.text);
          if (!batch) co_return fail(batch.error().copy());
          queued += batch->live;
        }
        if (replies->front().items.size() < kBatchesAtOnce) break;
      }
      queued -= std::min(queued, facts.ended_in_first);
    }
    co_return queued;
  }

  // Lets the crawl and its partitions know their owners. Removes what a former version has frozen.
  Task<Result<void>> write_owners() {
    std::vector<std::string> keys = {crawl_key(crawl_)};
    for (std::uint32_t i = 0; has_begun_ && i < kPartitions; ++i) {
      keys.push_back(partition_key(crawl_, i));
    }
    std::vector<Command> known;
    for (const std::string& key : keys) {
      known.push_back({.slot = redis::slot_of(key), .words = {"HMGET", key, "n", "f"}});
    }
    auto replies = co_await read(std::move(known));
    if (!replies) co_return fail(std::move(replies).error());
    std::vector<Command> commands;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint16_t slot = redis::slot_of(keys[i]);
      const redis::SlotMap::Master* const owner = client_.slots().master_of(slot);
      if (owner == nullptr) co_return fail(Errc::unavailable, "a slot has no owner");
      const std::vector<Reply>& fields = (*replies)[i].items;
      if (fields.size() != 2) co_return fail(Errc::malformed, "the state of a partition in Redis");
      if (!fields[0].text.empty() && fields[0].text != owner->id) {
        ++result_.moved;
        commands.push_back({.slot = slot, .words = {"HSET", keys[i], "n", owner->id}});
      }
      if (!fields[1].text.empty()) {
        ++result_.thawed;
        commands.push_back({.slot = slot, .words = {"HDEL", keys[i], "f"}});
      }
    }
    auto written = co_await run_all(
        client_, std::move(commands),
        {.deadline = soon(), .lane = Lane::waiting, .replicas = replicas_, .is_persistent = true});
    if (!written) co_return fail(std::move(written).error());
    co_return {};
  }

  Task<Result<std::vector<Reply>>> read(std::vector<Command> commands) {
    return run_all(client_, std::move(commands), {.deadline = soon()});
  }

  Instant soon() const { return base::add_saturating(async::Loop::current().now(), patience_); }

  redis::Client& client_;
  const std::string crawl_;
  const Duration patience_;
  std::string identity_;
  bool has_begun_ = false;
  std::uint32_t replicas_ = 0;
  NewOwners result_;
};

}  // namespace

Task<Result<NewOwners>> accept_new_owners(redis::Client& client, std::string crawl,
                                          Duration lost_after, Duration patience) {
  // The map may be older than the moves.
  auto loaded =
      co_await client.reload(base::add_saturating(async::Loop::current().now(), patience));
  if (!loaded) co_return fail(std::move(loaded).error());
  Acceptance acceptance(client, std::move(crawl), patience);
  co_return co_await acceptance.run(lost_after);
}

}  // namespace gossamer::cluster
