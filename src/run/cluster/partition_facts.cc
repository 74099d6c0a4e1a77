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

bool is_misplaced(const redis::SlotMap& slots, std::uint16_t slot, const std::string& placed) {
  const redis::SlotMap::Master* const owner = slots.master_of(slot);
  if (placed.empty() || owner == nullptr || owner->id.empty() || owner->id == placed) return false;
  return std::ranges::any_of(slots.masters(), [&placed](const redis::SlotMap::Master& master) {
    return master.slots > 0 && master.id == placed;
  });
}

// BORROWS: the client.
Task<Result<std::vector<PartitionFacts>>> read_once(redis::Client& client, std::string crawl,
                                                    std::uint32_t partitions, Instant deadline) {
  std::vector<Command> commands;
  std::vector<std::uint16_t> slots;
  for (std::uint32_t partition = 0; partition < partitions; ++partition) {
    const std::string key = partition_key(crawl, partition);
    const std::uint16_t slot = redis::slot_of(key);
    slots.push_back(slot);
    commands.push_back(
        {.slot = slot, .words = {"HMGET", key, "v", "a", "h", "l", "f", "n", "p", "z", "s", "e"}});
    commands.push_back({.slot = slot, .words = {"ZCARD", "R" + key.substr(1)}});
  }
  auto replies = co_await run_all(client, std::move(commands),
                                  {.deadline = deadline, .lane = redis::Lane::quick});
  if (!replies) co_return fail(std::move(replies).error());
  std::vector<PartitionFacts> all;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::vector<Reply>& fields = (*replies)[2 * i].items;
    if (fields.size() != 10) co_return fail(Errc::malformed, "the state of a partition in Redis");
    PartitionFacts facts = {.number = static_cast<std::uint32_t>(i),
                            .identity = std::move(fields[0].text),
                            .found = count_of(fields[1]),
                            .ended = count_of(fields[9]),
                            .hosts = count_of(fields[2]),
                            .leased = count_of(fields[3]),
                            .due = count_of((*replies)[2 * i + 1]),
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

// True if some URL of the level had not ended.
bool is_open(const std::vector<PartitionFacts>& all) {
  return std::ranges::any_of(
      all, [](const PartitionFacts& each) { return each.found - each.parked != each.ended; });
}

}  // namespace

Task<Result<std::vector<PartitionFacts>>> read_partitions(redis::Client& client, std::string crawl,
                                                          std::uint32_t partitions,
                                                          Instant deadline) {
  auto first = co_await read_once(client, crawl, partitions, deadline);
  // What was open once is open in all later sums of "found", which only grow.
  if (!first || is_open(*first)) co_return first;
  auto second = co_await read_once(client, std::move(crawl), partitions, deadline);
  if (!second) co_return second;
  for (std::size_t i = 0; i < second->size(); ++i) (*second)[i].ended = (*first)[i].ended;
  co_return second;
}

}  // namespace gossamer::cluster
