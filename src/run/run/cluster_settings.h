#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "net/tls_context.h"

namespace gossamer::run {

struct CrawlSettings;

// The shared crawl that this one is a node of.
struct ClusterSettings {
  // redis://[USER@]HOST[:PORT][,HOST[:PORT]...]/NAME, or rediss://. Empty: the crawl is not shared.
  std::string url;
  std::string password;  // of Redis; empty: none
  net::TlsOptions tls;
  // A node that is silent for this long loses its hosts to others.
  Duration lease = 30s;

  bool is_shared() const { return !url.empty(); }
};

// Fails with Errc::invalid_argument if the settings of a shared crawl are wrong or need something
// that shared crawls do not have.
Result<void> validate_cluster(const CrawlSettings& settings);

// The keys of settings that may differ between nodes. All others must be equal.
std::span<const std::string_view> settings_of_node() noexcept;

// Returns the lines of a configuration that all nodes must have in common.
std::string settings_to_share(const std::string& configuration);

}  // namespace gossamer::run
