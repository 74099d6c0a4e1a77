#pragma once

#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"

namespace gossamer::cluster {

// BOUND: redirect targets of roots that a crawl stores.
inline constexpr std::size_t kRootPlacesMax = 10'000;

// The redirect targets of the roots, which widen the scope of all nodes. They are in the set
// "W{CRAWL}". Both fail as redis::Client::run() does: adding also with Errc::unavailable while the
// slot of the crawl is moved. Then it must be repeated. BORROWS: the client.
async::Task<Result<void>> add_root_places(redis::Client& client, std::string crawl,
                                          std::vector<std::string> urls, Instant deadline);
// BORROWS: the client.
async::Task<Result<std::vector<std::string>>> root_places(redis::Client& client, std::string crawl,
                                                          Instant deadline);

}  // namespace gossamer::cluster
