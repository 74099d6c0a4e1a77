#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "bench/support/child_process.h"

namespace gossamer::bench {

// Servers that accept connections and let them wait, until they are told to answer each.
// As many processes as the limit on open files demands, each on loopback addresses of its own:
// connections beyond 10,000 to one address make every further one search for a free port.
class HoldingServers {
 public:
  explicit HoldingServers(std::uint64_t connections, const std::string& answer = "!");

  // Where connection i is to go.
  const async::Endpoint& endpoint_of(std::uint64_t connection) const {
    return endpoints_[connection % endpoints_.size()];
  }
  // All may go on. May be called by a child of the process that made the servers.
  void release() const;

 private:
  std::vector<async::Endpoint> endpoints_;
  std::vector<ChildProcess> processes_;
};

}  // namespace gossamer::bench
