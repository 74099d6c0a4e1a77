// Removes a crawl from Redis.
#pragma once

#include <cstdint>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"

namespace gossamer::cluster {

// Deletes all keys of a crawl, also those that an interrupted call left. It reads the keys of every
// master in steps that do not block the servers. The key of the crawl itself is deleted last, so
// an interrupted call can be repeated. `patience` is for each step. Returns the number of keys.
// Fails with Errc::unavailable if an earlier version has frozen a part of the crawl to move its
// slot. BORROWS: the client.
async::Task<Result<std::uint64_t>> purge(redis::Client& client, std::string crawl,
                                         Duration patience);

}  // namespace gossamer::cluster
