// Whether servers are configured so that a crawl in them is safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"

namespace gossamer::cluster {

// One thing that is wrong.
struct Finding {
  enum class Weight : std::uint8_t {
    fatal,    // a crawl does not work, or loses URLs without any fault
    warning,  // a fault loses URLs or stops the crawl
  };

  Weight weight = Weight::warning;
  std::string server;  // empty: the cluster
  std::string text;
};

// What a server says about itself.
struct ServerFacts {
  std::string name;
  std::map<std::string, std::string, std::less<>> info;  // of INFO
  // Of CONFIG GET; empty if the user is not allowed to read it.
  std::map<std::string, std::string, std::less<>> configuration;
  std::size_t replicas = 0;
  Duration clock_offset = Duration::zero();  // from the first master
};

struct Health {
  bool is_cluster = false;
  std::size_t slots_covered = 0;
  std::vector<ServerFacts> masters;
  // They replace masters, so they must be configured alike. Those of a cluster.
  std::vector<ServerFacts> replicas;
  std::vector<std::string> silent_replicas;  // that do not answer
};

// Queries all servers. Fails if a master does not answer. BORROWS: the client, which is open.
async::Task<Result<Health>> examine(redis::Client& client, Instant deadline);

// Returns the findings, the worst first.
std::vector<Finding> judge(const Health& health);

// Reads the reply to INFO: "name:value" lines.
// BOUND: kInfoValueMax bytes of each value; what one of Redis has is far shorter.
inline constexpr std::size_t kInfoValueMax = 100;
std::map<std::string, std::string, std::less<>> parse_info(std::string_view text);

// The memory that URLs take in Redis, without replicas and fragmentation (measured).
inline constexpr std::uint64_t kSeenUrlBytes = 16;
inline constexpr std::uint64_t kQueuedUrlBytes = 60;

}  // namespace gossamer::cluster
