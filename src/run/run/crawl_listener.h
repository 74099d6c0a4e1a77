#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "engine/setup/options.h"
#include "record/page_sink.h"
#include "settings/crawl_settings.h"

namespace gossamer::run {

// The state at the start of a crawl.
struct CrawlStart {
  bool is_resumed = false;    // an earlier run used the crawl directory
  std::uint64_t done = 0;     // URLs fetched by earlier runs
  std::uint64_t queued = 0;   // URLs left by earlier runs; with several loops, at least
  std::uint64_t retried = 0;  // failures among these, to be retried
  // What is damaged in the crawl directory, a line each: "archive/a-00001.warc.gz is missing".
  std::vector<std::string> damage = {};
};

// Receives the pages and events of a crawl, on the crawl's loop.
class CrawlListener {
 public:
  virtual ~CrawlListener() = default;

  // Returns the sink of the pages. Called once, after the logins. If the crawl then cannot start,
  // neither begin() nor close_sink() follows. BORROWS: the settings, for the call.
  virtual Result<crawler::PageSink*> open_sink(const CrawlSettings& settings) = 0;
  // May change the hooks of each loop.
  virtual crawler::Hooks wrap(crawler::Hooks hooks) { return hooks; }
  // Called before the first request, or when the crawl is stopped before it.
  virtual void begin(const CrawlStart& /*start*/) {}
  // Receives a line for the user, such as "the disk is full".
  virtual void say(const std::string& /*text*/) {}
  // The crawl was stopped: requests in flight may finish. The second time, they are dropped.
  virtual void stopping(bool /*is_second*/) {}
  // The last page has reached the sink. Called once if begin() was called, however the crawl ends.
  // Archive and crawl directory close after this.
  virtual async::Task<Result<void>> close_sink() { co_return {}; }
};

}  // namespace gossamer::run
