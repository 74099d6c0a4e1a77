#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "bench/servers/servers.h"
#include "bench/support/temporary_folder.h"
#include "net/resolver.h"

namespace gossamer::bench {

// Many hosts, each on its own loopback address, with the same few pages, served by one nginx over
// TLS, with HTTP/2 for clients that offer it. The certificate (P-256) has a typical chain: an
// authority and one intermediate.
class TlsSite {
 public:
  static constexpr std::size_t kPagesPerHost = 8;

  explicit TlsSite(std::size_t hosts);
  // True if nginx and openssl are installed.
  static bool can_be_had();

  std::size_t hosts() const { return hosts_; }
  std::size_t pages() const { return hosts_ * kPagesPerHost; }
  std::vector<std::string> roots() const;
  // The authority to trust: a PEM file.
  std::string authority_file() const { return folder_.path() + "/root.pem"; }

 private:
  const std::size_t hosts_;
  TemporaryFolder folder_;
  std::uint16_t port_ = 0;
  std::optional<Nginx> nginx_;
};

// Resolves the hosts of a TlsSite without a name server.
class TlsSiteNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string host) override;
};

}  // namespace gossamer::bench
