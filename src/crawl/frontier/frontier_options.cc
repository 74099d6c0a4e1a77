#include "crawl/frontier/frontier_options.h"

#include "crawl/options.h"
#include "crawl/world.h"

namespace gossamer::crawler {

bool is_level_by_level(const Options& options) {
  return options.scope.depth_max.has_value() && options.order == CrawlOrder::breadth_first;
}

FrontierOptions frontier_options(const Options& options, World& world) {
  FrontierOptions frontier = frontier_options(options, world.resolver != nullptr);
  frontier.salt = world.random.next();
  return frontier;
}

FrontierOptions frontier_options(const Options& options, bool has_resolver) {
  FrontierOptions frontier;
  frontier.politeness = frontier_politeness(options);
  frontier.hosts = options.hosts;
  frontier.order = options.order;
  frontier.is_level_by_level = is_level_by_level(options);
  frontier.global_gap = options.global_gap;
  frontier.needs_address = has_resolver;
  frontier.needs_robots = options.obeys_robots || options.reads_sitemaps;
  frontier.probes_robots = options.obeys_robots;
  frontier.pages_max = options.pages_max;
  if (options.host_bytes_max > 0) frontier.host_bytes_max = options.host_bytes_max;
  frontier.agent = options.agent;
  return frontier;
}

}  // namespace gossamer::crawler
