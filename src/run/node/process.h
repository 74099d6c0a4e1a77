#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "store/repeated_page.h"

namespace gossamer::node {

// What a process does for a node of a shared crawl, on the loop of the node.
class Process {
 public:
  virtual ~Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Makes the pages durable that have reached the sink. BORROWS: this.
  virtual async::Task<Result<void>> sync() = 0;
  // Stores the pages since the last commit.
  virtual void commit() = 0;
  // Another node fetches these pages again, because the lease had expired.
  virtual void mark_repeated(const std::vector<store::RepeatedPage>& pages) = 0;
  virtual void say(const std::string& text) = 0;  // to the user

  virtual WallTime wall_now() = 0;
  virtual std::uint64_t draw() = 0;  // a random number

  // Returns the progress of the node, a JSON object.
  virtual std::string report() = 0;
  // Executes an order of SharedCrawl::orders(). BORROWS: this.
  virtual async::Task<void> execute(std::string order) = 0;

 protected:
  Process() = default;
};

}  // namespace gossamer::node
