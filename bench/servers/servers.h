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

// The servers of the clients: child processes on kServerCore.
namespace gossamer::bench {

inline constexpr std::size_t kPageBytes = 10240;

// Answers every request with the same prepared bytes, so that the client is the bottleneck.
class CannedServer {
 public:
  // Waking a sleeping server costs the sender time: a client that is slower than the server with
  // every request, a faster one hardly ever. A spinning server costs all clients the same.
  enum class Idle : bool { sleeps, spins };

  explicit CannedServer(Idle idle = Idle::sleeps);
  const std::vector<async::Endpoint>& endpoints() const { return endpoints_; }

 private:
  std::vector<async::Endpoint> endpoints_;
  std::optional<ChildProcess> process_;
};

// Over TLS the client chooses between HTTP/1.1 and HTTP/2. REQUIRES, for TLS: openssl is installed.
enum class Listening : bool { plainly, over_tls };

// nginx with one worker. REQUIRES: nginx is installed.
class Nginx {
 public:
  Nginx();  // /page.html has kPageBytes
  // Serves the files of a folder, with further lines for its configuration.
  explicit Nginx(const std::string& root, std::string_view settings = {},
                 Listening listening = Listening::plainly);
  // The certificate of TLS, for the addresses of the endpoints.
  std::string certificate_file() const { return folder_.path() + "/certificate.pem"; }
  const std::vector<async::Endpoint>& endpoints() const { return endpoints_; }
  static bool is_installed();

 private:
  TemporaryFolder folder_;
  std::vector<async::Endpoint> endpoints_;
  std::optional<ChildProcess> process_;
};

// Connections come from many loopback addresses, because a run with one connection per request
// would exhaust the ports of one address.
inline constexpr std::uint8_t kServerAddresses = 8;

}  // namespace gossamer::bench
