#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/endpoint.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"

// Who answers the clients: child processes on kServerCore.
namespace gossamer::bench {

inline constexpr std::size_t kPageBytes = 10240;

// Answers every request with the same bytes, prepared beforehand, so that the client is the limit.
class CannedServer {
 public:
  // A server that sleeps must be woken, and the kernel charges that to whoever sends: to a client
  // that is slower than the server with every request, to a faster one hardly ever. One that spins
  // costs all clients the same.
  enum class Idle : bool { sleeps, spins };

  explicit CannedServer(Idle idle = Idle::sleeps);
  const std::vector<async::Endpoint>& endpoints() const { return endpoints_; }

 private:
  std::vector<async::Endpoint> endpoints_;
  std::optional<ChildProcess> process_;
};

// nginx with one worker. REQUIRES: nginx is installed.
class Nginx {
 public:
  Nginx();  // /page.html has kPageBytes
  // Serves the files of a folder, with further lines for its configuration.
  explicit Nginx(const std::string& root, std::string_view settings = {});
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
