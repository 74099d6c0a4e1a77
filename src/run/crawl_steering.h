#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "crawl/engine.h"
#include "crawl/shards/shards.h"
#include "run/control_protocol.h"

namespace gossamer::run {

// Answers what is asked of a crawl that runs, and does what is wanted of it, on all of its loops.
class CrawlSteering {
 public:
  struct Session {
    // What it knows of itself: all of the status but what the engine says.
    std::move_only_function<CrawlStatus()> status;
    std::move_only_function<void()> stop;
    std::move_only_function<void()> abort;
  };

  // `shards` is nullptr where there is one loop. BORROWS: the engine, which is that of the first
  // loop, and the shards, which end after it.
  CrawlSteering(crawler::Engine& engine, crawler::Shards* shards, Session session);

  // The reply, a line without its line feed. Does not fail: what goes wrong is part of the reply.
  // BORROWS: this.
  async::Task<std::string> answer(ControlRequest request);

 private:
  // What the loops have said of their fetches. They may be late, and find nobody.
  struct Collection;
  static async::Task<Result<void>> wait_for(std::shared_ptr<Collection> collection);

  std::size_t loops() const { return shards_ == nullptr ? 1 : shards_->count(); }
  // Calls it with every engine and the number of its loop, on that loop.
  template <class Change>
  void with_each(Change change);
  std::string change(const ControlRequest& request);
  std::string set_concurrency(std::uint32_t concurrency);
  std::string add(const std::string& url);
  std::string block(const std::string& host);
  std::string status();
  async::Task<std::string> fetches(std::uint32_t count);

  crawler::Engine& engine_;
  crawler::Shards* const shards_;
  Session session_;
  std::uint64_t concurrency_;  // of all loops
};

}  // namespace gossamer::run
