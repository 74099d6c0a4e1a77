#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "async/driver.h"
#include "base/result.h"
#include "crawl/options.h"
#include "run/archive_settings.h"
#include "run/crawl_fields.h"
#include "run/identity.h"
#include "run/job_settings.h"
#include "run/web_access.h"

namespace gossamer::run {

// Files in the format of browsers, curl and wget. Empty: none.
struct CookieFiles {
  std::string load;  // read and left as it is
  std::string jar;   // read and written back
};

// All that a user can want of a crawl.
struct CrawlSettings : public crawler::Options {
  CrawlSettings() = default;
  explicit CrawlSettings(std::string root) { roots.push_back(std::move(root)); }

  WebOptions web;
  async::DriverKind driver = async::DriverKind::automatic;
  std::uint32_t threads = 1;  // loops among which the sites are dealt
  JobSettings job;
  ArchiveSettings archive;
  CookieFiles cookies;
  // Its first word is the name by which robots.txt calls us. Empty: "gossamer/VERSION".
  std::string user_agent;
  // Who we are to sites: fields, passwords, logins. complete() puts them into `fields`, `hosts` and
  // `logins`.
  IdentitySettings own_identity;
  // Fields of requests, passwords, and whom they may be told. nullptr: those of own_identity.
  std::shared_ptr<CrawlFields> fields;
  std::string control_socket;  // where it can be steered while it runs; empty: nowhere
};

inline constexpr std::uint32_t kThreadsMax = 256;

// "gossamer/0.1.0".
std::string own_user_agent();

// Makes the settings agree with each other: the roots may be local and get the secrets, the pool is
// as large as the crawl is wide, archive and job get what they need, each loop gets its share of
// the concurrency. Fails with Errc::invalid_argument. Once.
Result<void> complete(CrawlSettings& settings);

// The hooks of one loop: those of the user, with what only some sites may be told.
crawler::Hooks hooks_of_loop(const std::shared_ptr<const CrawlFields>& fields,
                             crawler::Hooks of_user);
// Those of the user, for one more loop.
crawler::Hooks shared_hooks(const std::shared_ptr<crawler::Hooks>& of_user);

}  // namespace gossamer::run
