#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/shards/shards.h"
#include "run/control/control_protocol.h"
#include "run/control/crawl_progress.h"

namespace gossamer::run {

// Executes the requests of `gossamer top` on all loops of a running crawl.
class CrawlSteering {
 public:
  struct Session {
    // Returns the parts of the status that the engine does not know.
    std::move_only_function<CrawlProgress()> status;
    std::move_only_function<void()> stop;
    std::move_only_function<void()> abort;
    // Stores a rule that also holds for later runs (block, exclude), or removes one (unblock,
    // unexclude). Empty: there is nothing to store it in.
    std::move_only_function<Result<void>(const ControlRequest& request)> keep = {};
  };

  // `shards` is nullptr if there is one loop. BORROWS: the engine of the first loop, and the
  // shards; they outlive it.
  CrawlSteering(crawler::Engine& engine, crawler::Shards* shards, Session session);

  // Returns the reply, a line without its line feed. It never fails: the reply reports failures.
  // BORROWS: this.
  async::Task<std::string> answer(ControlRequest request);
  // Executes a request of an earlier run. REQUIRES: it was kept.
  void repeat(const ControlRequest& request) { static_cast<void>(change(request)); }

 private:
  // Collects the fetches of the loops. A loop may answer after the request has timed out.
  struct Collection;
  static async::Task<Result<void>> wait_for(std::shared_ptr<Collection> collection);

  std::size_t loops() const { return shards_ == nullptr ? 1 : shards_->count(); }
  // Calls `action` with every engine and the number of its loop, on that loop.
  template <class Change>
  void with_each(Change change);
  std::string change(const ControlRequest& request);
  std::string set_concurrency(std::uint32_t concurrency);
  std::string add(const std::string& url);
  std::string block(const std::string& host);
  std::string unblock(const std::string& host);
  std::string exclude(const std::string& pattern);
  std::string unexclude(const std::string& pattern);
  std::string status();
  async::Task<std::string> fetches(std::uint32_t count);

  crawler::Engine& engine_;
  crawler::Shards* const shards_;
  Session session_;
  std::uint64_t concurrency_;  // of all loops
};

// Returns whether the first request undoes the second one: unblock and block of the same host.
bool undoes(const ControlRequest& later, const ControlRequest& earlier);

}  // namespace gossamer::run
