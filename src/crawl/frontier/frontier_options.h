#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "frontier/politeness.h"
#include "frontier/target_queue.h"
#include "scope/host_options.h"

namespace gossamer::crawler {

struct FrontierOptions {
  PolitenessOptions politeness;
  std::vector<HostOptions> hosts;  // with their own politeness
  CrawlOrder order = CrawlOrder::breadth_first;
  // Claims no target while one of lower depth is queued or claimed anywhere, so that every URL is
  // first found on a shortest path. A limit of depth requires this. Breadth first only.
  bool is_level_by_level = false;
  // Least time between the starts of any two requests.
  Duration global_gap = Duration::zero();
  // Whether origins need an address and robots.txt before their pages are claimed.
  bool needs_address = true;
  bool needs_robots = true;
  // robots.txt shows whether a host is down or only a page is broken.
  bool probes_robots = true;
  // Unpredictable, so that no site can choose URLs that make the seen set slow.
  std::uint64_t salt = 0;
  std::string agent = "gossamer";  // for stored rules
  // The crawl continues that of an earlier process. A power cut may have lost the state of a host,
  // so a host without state gets a full pause at the start of this process.
  bool is_continued = false;
  // With a backlog: the approximate memory of hosts. Others are on disk.
  std::uint64_t host_bytes_max = std::numeric_limits<std::uint64_t>::max();
  // The limit of claimed pages; retries do not count.
  std::optional<std::uint64_t> pages_max;
};

}  // namespace gossamer::crawler
