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

// Many hosts on a loopback address each, with the same few pages, served by one nginx over TLS. The
// certificate (P-256) has the chain that most sites have: an authority, and one between.
class TlsSite {
 public:
  static constexpr std::size_t kPagesPerHost = 8;

  explicit TlsSite(std::size_t hosts);
  // nginx and openssl are there.
  static bool can_be_had();

  std::size_t hosts() const { return hosts_; }
  std::size_t pages() const { return hosts_ * kPagesPerHost; }
  std::vector<std::string> roots() const;
  // Whom to trust: a PEM file.
  std::string authority_file() const { return folder_.path() + "/root.pem"; }

 private:
  const std::size_t hosts_;
  TemporaryFolder folder_;
  std::uint16_t port_ = 0;
  std::optional<Nginx> nginx_;
};

// Knows where the hosts of a TlsSite are, without asking anybody.
class TlsSiteNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string host) override;
};

}  // namespace gossamer::bench
