#pragma once

#include <cstdint>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/shared_crawl.h"
#include "frontier/open_work.h"

namespace gossamer::node {

// The pages of a page limit that this node may fetch. Redis gives them in blocks, and gives those
// of a node that is silent for too long to others. So a node that has used its pages waits until
// all others have used theirs.
class PageAllowance {
 public:
  // Pages stay valid for this long after the node was heard. BORROWS: crawl and work.
  PageAllowance(cluster::SharedCrawl& crawl, crawler::OpenWork& work, bool is_limited,
                Duration valid)
      : crawl_(crawl), work_(work), is_limited_(is_limited), valid_(valid) {}

  // Pages that this node has used.
  std::uint64_t used() const;
  // Redis has heard the node, which had sent its message at that time.
  void heard(Instant sent);
  // Call it before pages are fetched after a wait for Redis.
  void drop_stale();
  // True if it has no pages, and other nodes have some that they may give back.
  bool is_waiting() const { return is_waiting_; }
  // Returns true once after a call of take(), when the pages are nearly used: call it again soon.
  bool runs_short();

  enum class Taken : std::uint8_t {
    nothing,  // none were needed, those in hand come first, or it waits
    more,
    none_left,  // the limit is reached: all nodes have used their pages
  };
  // Reports the used pages, and takes another block if the last one is nearly used. A node that is
  // not at work gives its pages back. `facts` is the crawl as the last beat showed it. BORROWS:
  // this and the facts.
  async::Task<Result<Taken>> take(cluster::CrawlFacts& facts, bool is_at_work);

 private:
  cluster::SharedCrawl& crawl_;
  crawler::OpenWork& work_;
  const bool is_limited_;
  const Duration valid_;
  std::uint64_t given_ = 0;
  // As Redis knows them.
  std::uint64_t known_given_ = 0;
  std::uint64_t known_used_ = 0;
  Instant last_heard_ = Instant::min();
  std::uint64_t short_at_ = 0;  // pages left at which the next block is taken
  bool is_told_ = true;         // runs_short() has returned true, or must not now
  bool is_waiting_ = false;
  bool is_at_end_ = false;
};

}  // namespace gossamer::node
