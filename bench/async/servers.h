#pragma once

#include <optional>
#include <vector>

#include "async/endpoint.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"

// Who answers the clients: child processes on kServerCore.
namespace gossamer::bench {

// Answers every request with the same bytes, prepared beforehand, so that the client is the limit.
class CannedServer {
 public:
  CannedServer();
  const std::vector<async::Endpoint>& endpoints() const { return endpoints_; }

 private:
  std::vector<async::Endpoint> endpoints_;
  std::optional<ChildProcess> process_;
};

// nginx with one worker and a page of kPageBytes. REQUIRES: nginx is installed.
class Nginx {
 public:
  Nginx();
  const std::vector<async::Endpoint>& endpoints() const { return endpoints_; }
  static bool is_installed();

 private:
  TemporaryFolder folder_;
  std::vector<async::Endpoint> endpoints_;
  std::optional<ChildProcess> process_;
};

// Connections come from many addresses of loopback, or a run with a connection per request would
// exhaust the ports of one.
inline constexpr std::uint8_t kServerAddresses = 8;

}  // namespace gossamer::bench
