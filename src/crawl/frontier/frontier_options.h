#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "crawl/frontier/politeness.h"
#include "crawl/frontier/target_queue.h"
#include "crawl/host_options.h"

namespace gossamer::crawler {

struct Options;
struct World;

struct FrontierOptions {
  PolitenessOptions politeness;
  std::vector<HostOptions> hosts;  // with a pace of their own
  CrawlOrder order = CrawlOrder::breadth_first;
  // Claims no target while one of lesser depth is waiting or claimed anywhere, so that every URL
  // is found first on a shortest way: what makes a limit of depth mean something. Breadth first
  // only.
  bool is_level_by_level = false;
  // Least time between the starts of any two requests.
  Duration global_gap = Duration::zero();
  // Origins need no address, or no robots.txt, before their pages are claimed.
  bool needs_address = true;
  bool needs_robots = true;
  // robots.txt tells whether a host is down or a page of it is broken.
  bool probes_robots = true;
  // Unlike in any other crawl, so that no site can choose URLs that make the seen set slow.
  std::uint64_t salt = 0;
  std::string agent = "gossamer";  // for rules that a backlog kept
  // An earlier process was at work on this crawl. A power cut may have taken its notes about a
  // host, so a host without notes gets a whole pause from the start of this process.
  bool is_continued = false;
  // With a backlog: hosts may take about so many bytes of memory. The others are on disk.
  std::uint64_t host_bytes_max = std::numeric_limits<std::uint64_t>::max();
  // Pages that may be claimed in all; those that are retried do not count twice.
  std::optional<std::uint64_t> pages_max;
};

// What the options of a crawl mean for its frontier.
FrontierOptions frontier_options(const Options& options, bool has_resolver);
// The same in this world, with a salt of its own.
FrontierOptions frontier_options(const Options& options, World& world);

}  // namespace gossamer::crawler
