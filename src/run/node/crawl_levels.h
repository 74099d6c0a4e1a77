#pragma once

#include "async/task.h"
#include "base/result.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"

namespace gossamer::node {

// The levels of a crawl that goes level by level. Every node looks whether a level has ended; the
// first one that sees it decides the next level, and any node can execute what was decided.
class CrawlLevels {
 public:
  // BORROWS: both.
  CrawlLevels(cluster::SharedCrawl& crawl, cluster::SharedFrontier& frontier)
      : crawl_(crawl), frontier_(frontier) {}

  // Takes the step to the next level if these counts show that one is due, or that a node has not
  // finished one. Returns whether it took one. BORROWS: this.
  async::Task<Result<bool>> follow(cluster::SharedFrontier::Counts counts);

 private:
  cluster::SharedCrawl& crawl_;
  cluster::SharedFrontier& frontier_;
};

}  // namespace gossamer::node
