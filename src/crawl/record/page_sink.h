#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "record/capture.h"
#include "record/record.h"

namespace gossamer::crawler {

// The result of one URL, and its body if Settings::keeps_bodies.
struct Page {
  FetchRecord record;
  std::string body;  // decoded
  // The exchange for archives. nullptr unless Settings::keeps_captures, and if there was no
  // response.
  std::unique_ptr<Capture> capture;

  // The memory of its contents.
  std::size_t bytes() const noexcept {
    return body.size() + contents_bytes(record) + (capture ? capture->bytes() : 0);
  }
};

// Receives the pages. The crawl waits for put(), so a slow sink slows it down and no queue grows.
class PageSink {
 public:
  virtual ~PageSink() = default;
  // A failure ends the crawl.
  virtual async::Task<Result<void>> put(Page page) = 0;
  // Receives an exchange that is not a page: robots.txt. Only with Settings::keeps_captures. A
  // failure ends the crawl.
  virtual async::Task<Result<void>> put_other(Exchange exchange);
  // Must not wait: there may be many.
  virtual void skip(const SkippedUrl& /*skipped*/) {}
};

inline async::Task<Result<void>> PageSink::put_other(Exchange /*exchange*/) { co_return {}; }

}  // namespace gossamer::crawler
