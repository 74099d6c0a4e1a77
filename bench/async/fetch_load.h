#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "async/endpoint.h"
#include "bench/servers/answer.h"

namespace gossamer::bench {

// The load for every client.
struct FetchLoad {
  std::vector<async::Endpoint> servers;  // connection i goes to servers[i % size]
  int connections = 64;
  bool keep_alive = true;     // false: a connection per request, read to its end
  std::uint64_t warm_up = 0;  // answers before the measurement begins
  std::uint64_t answers = 0;  // answers that are measured

  std::string_view request() const;
  const async::Endpoint& server_of(std::uint64_t connection) const {
    return servers[connection % servers.size()];
  }
};

}  // namespace gossamer::bench
