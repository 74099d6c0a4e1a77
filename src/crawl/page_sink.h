#pragma once

#include <string>

#include "async/task.h"
#include "base/result.h"
#include "crawl/record.h"

namespace gossamer::crawl {

// What became of one URL, and its body if bodies are wanted.
struct Page {
  FetchRecord record;
  std::string body;  // decoded
};

// Where pages go. The crawl waits for put(), so a slow sink slows it down and nothing piles up.
class PageSink {
 public:
  virtual ~PageSink() = default;
  // A failure ends the crawl.
  virtual async::Task<Result<void>> put(Page page) = 0;
  // Must not wait: there may be many.
  virtual void skip(const SkippedUrl& /*skipped*/) {}
};

}  // namespace gossamer::crawl
