#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "bench/support/child_process.h"

namespace gossamer::bench {

// Servers that accept connections and hold them until they are told to answer. There are as many
// processes as the limit of open files requires, each on its own loopback addresses: beyond 10,000
// connections to one address, every new one must search for a free port.
class HoldingServers {
 public:
  explicit HoldingServers(std::uint64_t connections, const std::string& answer = "!");

  // The server of connection i.
  const async::Endpoint& endpoint_of(std::uint64_t connection) const {
    return endpoints_[connection % endpoints_.size()];
  }
  // Answers all connections. A child of the process that made the servers may call it.
  void release() const;

 private:
  std::vector<async::Endpoint> endpoints_;
  std::vector<ChildProcess> processes_;
};

}  // namespace gossamer::bench
