#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "bench/support/child_process.h"

namespace gossamer::bench {

// The files of a folder, each as an answer that is ready to be sent: the cheapest server that a
// site can have. A child process on kServerCore, of which it leaves most to others.
class MemorySite {
 public:
  enum class Coding : std::uint8_t { none, gzip };

  MemorySite(const std::string& folder, Coding coding);
  const async::Endpoint& endpoint() const { return endpoint_; }

 private:
  async::Endpoint endpoint_;
  std::optional<ChildProcess> process_;
};

}  // namespace gossamer::bench
