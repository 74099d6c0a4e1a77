#pragma once

#include <string>

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
  // The settings that all nodes have in common, as agreement_of() writes them. Empty: the roots.
  std::string agreed;

  bool is_shared() const { return !url.empty(); }
};

// Fails with Errc::invalid_argument if the settings of a shared crawl are wrong or need something
// that shared crawls do not have.
Result<void> validate_cluster(const CrawlSettings& settings);

}  // namespace gossamer::run
