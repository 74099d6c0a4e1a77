#include "cluster/partition_facts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cluster/function_call.h"
#include "cluster/layout.h"
#include "redis/slot.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Command;
using redis::Reply;

std::uint64_t count_of(const Reply& reply) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(reply.as_integer(0), 0));
}

bool is_misplaced(const redis::SlotMap& slots, std::uint16_t slot, const std::string& placed) {
  const redis::SlotMap::Master* const owner = slots.master_of(slot);
  if (placed.empty() || owner == nullptr || owner->id.empty() || owner->id == placed) return false;
  return std::ranges::any_of(slots.masters(), [&placed](const redis::SlotMap::Master& master) {
    return master.slots > 0 && master.id == placed;
  });
}

}  // namespace

Task<Result<std::vector<PartitionFacts>>> read_partitions(redis::Client& client, std::string crawl,
                                                          Instant deadline) {
  std::vector<Command> ended;
  std::vector<Command> others;
  std::vector<std::uint16_t> slots;
  for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
    const std::string key = partition_key(crawl, partition);
    const std::uint16_t slot = redis::slot_of(key);
    slots.push_back(slot);
    ended.push_back({.slot = slot, .words = {"HGET", key, "e"}});
    others.push_back(
        {.slot = slot, .words = {"HMGET", key, "v", "a", "h", "l", "f", "n", "p", "z", "s"}});
    others.push_back({.slot = slot, .words = {"ZCARD", "R" + key.substr(1)}});
  }
  const redis::RunOptions run = {.deadline = deadline, .lane = redis::Lane::quick};
  auto first = co_await run_all(client, std::move(ended), run);
  if (!first) co_return fail(std::move(first).error());
  auto second = co_await run_all(client, std::move(others), run);
  if (!second) co_return fail(std::move(second).error());
  std::vector<PartitionFacts> all;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::vector<Reply>& fields = (*second)[2 * i].items;
    if (fields.size() != 9) co_return fail(Errc::malformed, "the state of a partition in Redis");
    PartitionFacts facts = {.number = static_cast<std::uint32_t>(i),
                            .identity = std::move(fields[0].text),
                            .found = count_of(fields[1]),
                            .ended = count_of((*first)[i]),
                            .hosts = count_of(fields[2]),
                            .leased = count_of(fields[3]),
                            .due = count_of((*second)[2 * i + 1]),
                            .frozen = std::move(fields[4].text),
                            .parked = count_of(fields[6]),
                            .lowest_parked = static_cast<std::uint16_t>(count_of(fields[7])),
                            .step = count_of(fields[8])};
    facts.is_misplaced =
        facts.frozen.empty() && is_misplaced(client.slots(), slots[i], fields[5].text);
    all.push_back(std::move(facts));
  }
  co_return all;
}

}  // namespace gossamer::cluster
