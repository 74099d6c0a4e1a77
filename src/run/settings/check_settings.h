#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "check/page_checker.h"
#include "check/reader.h"
#include "settings/crawl_settings.h"

namespace gossamer::run {

struct CheckSettings {
  CheckSettings() = default;
  explicit CheckSettings(std::string url) : crawl(std::move(url)) {}

  CrawlSettings crawl;               // its roots are the sites
  std::vector<std::string> files;    // and folders
  std::vector<std::string> sources;  // both, as the result shows them
  check::CheckOptions options;
  check::FileRules file_rules;
  bool audits_pages = false;  // also finds faults of pages: titles, descriptions, ...
  std::string cache_file;     // responses of other hosts, for the next check; empty: none
  Duration cache_age_max = 24h;
};

// Completes the settings, as complete() does for a crawl.
Result<void> complete(CheckSettings& settings);

}  // namespace gossamer::run
