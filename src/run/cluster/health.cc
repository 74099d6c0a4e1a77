#include "cluster/health.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "async/loop.h"
#include "base/figures.h"
#include "base/number.h"
#include "redis/server_error.h"
#include "redis/slot.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using Weight = Finding::Weight;
using Facts = std::map<std::string, std::string, std::less<>>;

// Leases end by the clocks of masters, so after a failover their difference counts.
constexpr Duration kClockOffsetMax = 500ms;
constexpr int kVersionMin = 7;
// For a replica that may be down.
constexpr Duration kReplicaPatience = 2s;
// A full server stops new URLs.
constexpr std::uint64_t kMemoryPercentMax = 80;

std::string_view value(const Facts& facts, std::string_view name) {
  const auto found = facts.find(name);
  return found == facts.end() ? std::string_view() : std::string_view(found->second);
}

std::uint64_t number(const Facts& facts, std::string_view name) {
  std::uint64_t parsed = 0;
  static_cast<void>(base::parse_number(value(facts, name), parsed));
  return parsed;
}

// Appends findings about one server.
class ServerJudge {
 public:
  // BORROWS: both.
  ServerJudge(const ServerFacts& server, bool is_cluster, std::vector<Finding>& findings)
      : server_(server), is_cluster_(is_cluster), findings_(findings) {}

  void judge_master() {
    if (server_.replicas == 0) {
      add(Weight::warning, "no replica: if the server fails, its part of the crawl is lost");
    }
    judge();
  }
  void judge_replica(std::uint64_t memory_of_masters) {
    judge();
    const std::uint64_t limit = number(server_.info, "maxmemory");
    if (limit > 0 && limit < memory_of_masters) {
      add(Weight::warning,
          "this replica has less memory than a master: " + base::byte_count(limit) + " of " +
              base::byte_count(memory_of_masters));
    }
  }

 private:
  void judge() {
    judge_version();
    judge_memory();
    judge_safety();
  }

  void add(Weight weight, std::string text) {
    findings_.push_back({.weight = weight, .server = server_.name, .text = std::move(text)});
  }

  void judge_version() {
    const std::string_view version = value(server_.info, "redis_version");
    int major = 0;
    static_cast<void>(base::parse_number(version.substr(0, version.find('.')), major));
    if (major < kVersionMin) {
      add(Weight::fatal, "Redis " + std::string(version) + " has no functions; use 7 or later");
    }
  }

  void judge_memory() {
    const std::uint64_t used = number(server_.info, "used_memory");
    const std::uint64_t limit = number(server_.info, "maxmemory");
    const std::string_view policy = value(server_.info, "maxmemory_policy");
    if (limit == 0) {
      add(Weight::warning, "no maxmemory: a full machine ends the server; set maxmemory");
    } else if (policy != "noeviction") {
      add(Weight::fatal, "maxmemory-policy " + std::string(policy) +
                             " deletes URLs when the memory is full; set noeviction");
    }
    if (limit > 0 && used * 100 > limit * kMemoryPercentMax) {
      add(Weight::warning, "the memory is nearly full: " + base::byte_count(used) + " of " +
                               base::byte_count(limit));
    }
  }

  void judge_safety() {
    if (value(server_.info, "aof_enabled") == "0") {
      add(Weight::warning, "appendonly is off: a restart loses the crawl; set appendonly yes");
    }
    if (server_.clock_offset > kClockOffsetMax || server_.clock_offset < -kClockOffsetMax) {
      add(Weight::fatal, "its clock differs by " + base::to_string(server_.clock_offset) +
                             " from that of the first master; synchronise the clocks");
    }
    if (is_cluster_ && value(server_.configuration, "cluster-require-full-coverage") == "yes") {
      add(Weight::warning,
          "cluster-require-full-coverage stops the whole crawl while one master "
          "is down; set no");
    }
    const std::uint64_t entries = number(server_.configuration, "set-max-intset-entries");
    if (!server_.configuration.empty() && entries < 512) {
      add(Weight::warning, "set-max-intset-entries " + std::to_string(entries) +
                               " needs ten times the memory for seen URLs; set 512");
    }
  }

  const ServerFacts& server_;
  const bool is_cluster_;
  std::vector<Finding>& findings_;
};

// BORROWS: the client.
Task<Result<ServerFacts>> examine_server(redis::Client& client, redis::Node node,
                                         Instant deadline) {
  redis::Commands commands;
  commands.add({"INFO"});
  commands.add({"CONFIG", "GET", "set-max-intset-entries"});
  commands.add({"CONFIG", "GET", "cluster-require-full-coverage"});
  commands.add({"TIME"});
  auto replies = co_await client.run_on(node, std::move(commands), redis::Lane::quick, deadline);
  if (!replies) co_return fail(std::move(replies).error());
  const Instant now = async::Loop::current().now();
  if ((*replies)[0].is_error()) co_return fail(redis::error_of((*replies)[0].text, node));
  ServerFacts facts = {.name = node.to_string(), .info = parse_info((*replies)[0].text)};
  for (std::size_t i = 1; i <= 2; ++i) {
    const std::vector<redis::Reply>& pair = (*replies)[i].items;
    if (pair.size() == 2) facts.configuration[pair[0].text] = pair[1].text;
  }
  facts.replicas = static_cast<std::size_t>(number(facts.info, "connected_slaves"));
  if ((*replies)[3].items.size() == 2) {
    const Duration time = std::chrono::seconds((*replies)[3].items[0].as_integer(0)) +
                          std::chrono::microseconds((*replies)[3].items[1].as_integer(0));
    facts.clock_offset = time - now.time_since_epoch();
  }
  co_return facts;
}

}  // namespace

std::map<std::string, std::string, std::less<>> parse_info(std::string_view text) {
  Facts facts;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t colon = line.find(':');
    if (colon == line.npos || line.starts_with('#')) continue;
    facts.emplace(line.substr(0, std::min(colon, kInfoValueMax)),
                  line.substr(colon + 1, kInfoValueMax));
  }
  return facts;
}

Task<Result<Health>> examine(redis::Client& client, Instant deadline) {
  Health health = {.is_cluster = client.is_cluster(),
                   .slots_covered = client.slots().slots_covered()};
  // A copy, since the map may change during the waits.
  const std::vector<redis::SlotMap::Master> masters = client.slots().masters();
  for (const redis::SlotMap::Master& master : masters) {
    if (master.slots == 0) continue;
    auto facts = co_await examine_server(client, master.node, deadline);
    if (!facts) co_return fail(std::move(facts).error());
    health.masters.push_back(std::move(*facts));
    for (const redis::Node& replica : master.replicas) {
      const Instant soon =
          std::min(deadline, base::add_saturating(async::Loop::current().now(), kReplicaPatience));
      auto its = co_await examine_server(client, replica, soon);
      if (its) {
        health.replicas.push_back(std::move(*its));
      } else if (its.error() == Errc::cancelled) {
        co_return fail(std::move(its).error());
      } else {
        health.silent_replicas.push_back(replica.to_string());
      }
    }
  }
  const Duration first =
      health.masters.empty() ? Duration::zero() : health.masters.front().clock_offset;
  for (ServerFacts& master : health.masters) master.clock_offset -= first;
  for (ServerFacts& replica : health.replicas) replica.clock_offset -= first;
  co_return health;
}

std::vector<Finding> judge(const Health& health) {
  std::vector<Finding> findings;
  if (health.slots_covered < redis::kSlots) {
    findings.push_back({.weight = Weight::fatal,
                        .text = std::to_string(redis::kSlots - health.slots_covered) +
                                " of 16384 slots have no server"});
  }
  std::uint64_t memory = 0;  // the most that a master has
  for (const ServerFacts& master : health.masters) {
    ServerJudge(master, health.is_cluster, findings).judge_master();
    memory = std::max(memory, number(master.info, "maxmemory"));
  }
  for (const ServerFacts& replica : health.replicas) {
    ServerJudge(replica, health.is_cluster, findings).judge_replica(memory);
  }
  for (const std::string& replica : health.silent_replicas) {
    findings.push_back({.weight = Weight::warning,
                        .server = replica,
                        .text = "this replica does not answer, so it cannot replace its master"});
  }
  std::ranges::sort(findings, {}, [](const Finding& finding) {
    return std::tuple(finding.weight, finding.server, finding.text);
  });
  return findings;
}

}  // namespace gossamer::cluster
