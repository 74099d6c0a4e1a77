#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "base/time.h"
#include "bench/support/child_process.h"

namespace gossamer::bench {

// A site on several loopback addresses, each a host with the same pages. It delays every request by
// the same time. It is a child process on kServerCore.
//
// The pages are a tree: page n links to pages 36n + 1 to 36n + 36, or to others if these do not
// exist, so that each page has 36 links and kPageBytes.
class SlowSite {
 public:
  static constexpr std::uint32_t kLinks = 36;

  SlowSite(Duration delay, std::uint32_t pages_per_host);

  const std::vector<async::Endpoint>& hosts() const { return hosts_; }
  // The roots of a crawl of all hosts.
  std::vector<std::string> roots() const;

 private:
  std::vector<async::Endpoint> hosts_;
  std::optional<ChildProcess> process_;
};

}  // namespace gossamer::bench
