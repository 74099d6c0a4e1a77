// Accepts that another program has moved slots with parts of a crawl.
//
// Every partition and the crawl itself know the master on which they were made. A slot that moves
// while nodes write to it can lose URLs, because functions use keys that they do not declare. So
// slots are moved while no node runs (docs/cluster.md), and a new owner is accepted only if its
// counts are those of the keys that it has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"

namespace gossamer::cluster {

struct NewOwners {
  std::uint64_t found = 0;   // URLs, that all partitions have
  std::uint32_t moved = 0;   // parts that have another owner now
  std::uint32_t thawed = 0;  // parts that a former version had frozen
  // What is missing: "partition 17 counts 9 seen URLs and has 8". Empty: nothing.
  std::vector<std::string> losses;
};

// Compares what every partition counts with what it has, and then lets all know their owner. Writes
// nothing if anything differs. Fails with Errc::not_found if there is no such crawl, and with
// Errc::unavailable if a node was there within `lost_after`, or if a slot is still being moved.
// `patience` is for each step. BORROWS: the client.
async::Task<Result<NewOwners>> accept_new_owners(redis::Client& client, std::string crawl,
                                                 Duration lost_after, Duration patience);

}  // namespace gossamer::cluster
