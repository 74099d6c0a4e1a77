#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "async/driver.h"
#include "async/endpoint.h"
#include "base/result.h"
#include "engine/setup/options.h"
#include "settings/archive_settings.h"
#include "settings/cluster_settings.h"
#include "settings/crawl_fields.h"
#include "settings/identity.h"
#include "settings/job_settings.h"
#include "settings/limits.h"
#include "settings/web_options.h"

namespace gossamer::run {

// Cookie files in the format of browsers, curl and wget. Empty: none.
struct CookieFiles {
  std::string load;  // read only
  std::string jar;   // read and written back
};

// All settings of a crawl.
struct CrawlSettings : public crawler::Options {
  CrawlSettings() = default;
  explicit CrawlSettings(std::string root) { roots.push_back(std::move(root)); }

  WebOptions web;
  async::DriverKind driver = async::DriverKind::automatic;
  std::uint32_t threads = 1;  // event loops that share the sites
  JobSettings job;
  ArchiveSettings archive;
  // Fills search.db while it crawls, in the crawl directory or beside the archive. Requires an
  // archive. A failure of the index does not end the crawl.
  bool builds_index = false;
  ClusterSettings cluster;
  CookieFiles cookies;
  // Where a browser of the user's own listens: "ws://127.0.0.1:9222/devtools/browser/1". It renders
  // pages (Settings::renders), and nothing keeps it from the network. Empty: one is started.
  std::string render_with;
  // Its first word is our name in robots.txt. Empty: "gossamer/VERSION".
  std::string user_agent;
  // Our identity for sites: fields, passwords, logins. complete() moves them to `fields`, `hosts`
  // and `logins`.
  IdentitySettings own_identity;
  // Header fields and passwords, and which hosts may receive them. nullptr: those of own_identity.
  std::shared_ptr<CrawlFields> fields;
  std::string control_socket;  // the control socket of `gossamer top`; empty: none
  // Where Prometheus reads the numbers of the crawl; port 0: any free one. Empty: nowhere.
  std::optional<async::Endpoint> metrics;
};

// "gossamer/0.1.0".
std::string own_user_agent();

// Completes the settings; call it once. The roots may be local hosts and receive the secrets, the
// connection pool fits the concurrency, and each loop gets its share of it. Fails with
// Errc::invalid_argument.
Result<void> complete(CrawlSettings& settings);

}  // namespace gossamer::run
