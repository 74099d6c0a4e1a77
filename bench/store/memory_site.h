#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "bench/support/child_process.h"

namespace gossamer::bench {

// Serves the files of a folder from prepared responses: the cheapest server of a site. It is a
// child process on kServerCore and leaves most of that core free.
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
