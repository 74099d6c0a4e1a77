#pragma once

#include <memory>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "crawl/page/capture.h"
#include "crawl/page/record.h"

namespace gossamer::crawler {

// What became of one URL, and its body if bodies are wanted.
struct Page {
  FetchRecord record;
  std::string body;  // decoded
  // The exchange as archives keep it. nullptr unless Settings::keeps_captures, and where nothing
  // came.
  std::unique_ptr<Capture> capture;
};

// Where pages go. The crawl waits for put(), so a slow sink slows it down and nothing piles up.
class PageSink {
 public:
  virtual ~PageSink() = default;
  // A failure ends the crawl.
  virtual async::Task<Result<void>> put(Page page) = 0;
  // An exchange that is no page of the crawl: robots.txt. Only with Settings::keeps_captures. A
  // failure ends the crawl.
  virtual async::Task<Result<void>> put_other(Exchange exchange);
  // Must not wait: there may be many.
  virtual void skip(const SkippedUrl& /*skipped*/) {}
};

inline async::Task<Result<void>> PageSink::put_other(Exchange /*exchange*/) { co_return {}; }

}  // namespace gossamer::crawler
