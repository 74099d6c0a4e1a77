#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "async/endpoint.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"

namespace gossamer::bench {

// A synthetic site of many hosts with prepared responses, for simulated worlds. The crawl is
// measured, so its server does as little as possible. Several threads may serve it concurrently.
class SimulatedSite {
 public:
  SimulatedSite(std::size_t hosts, std::uint64_t pages_per_host);

  struct Host {
    std::string name;
    async::Endpoint address;
    std::unordered_map<std::uint64_t, std::string> answers = {};  // by hash of path and query
  };
  const std::vector<Host>& hosts() const { return hosts_; }
  std::uint64_t pages() const { return pages_; }
  // The root of a crawl, which finds the other hosts by links.
  std::string root() const { return "http://" + hosts_[0].name + "/"; }

  // Serves a host until it is cancelled. BORROWS: the site and the host.
  async::Task<Result<void>> serve(const Host& host) const;

 private:
  // BORROWS: the host.
  static async::Task<Result<void>> serve_one(const Host& host, async::Socket socket);

  std::vector<Host> hosts_;
  std::uint64_t pages_;
};

}  // namespace gossamer::bench
