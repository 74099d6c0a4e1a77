// Fills a search index while a crawl runs, without slowing it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/archive_indexer.h"
#include "index/search_writer.h"

namespace gossamer::index {

// A response as it was received.
struct LivePage {
  std::string url;
  WallTime captured;
  std::string archive;  // the path of the file that has it
  std::uint64_t offset = 0;
  std::string head;     // the status line and the fields; empty: it is not a page, such as an image
  std::string payload;  // with its content codings

  std::size_t bytes() const { return head.size() + payload.size(); }
};

// One thread reads and indexes pages from a bounded queue. A page that finds the queue full is left
// out; finish() finds it in the archive. So the disk and the processor may be slow, and a failure
// of the index is not one of the crawl.
class LiveIndex {
 public:
  // BOUND: pages in the queue.
  static constexpr std::size_t kQueuePages = 1024;
  static constexpr std::size_t kQueueBytes = 32 * 1024 * 1024;

  // Starts the thread, which opens the index. BOUND: `queue_bytes` of pages in the queue.
  explicit LiveIndex(std::string path, std::size_t queue_bytes = kQueueBytes);
  // Stops it after the current page.
  ~LiveIndex();
  LiveIndex(const LiveIndex&) = delete;
  LiveIndex& operator=(const LiveIndex&) = delete;

  // Never waits for a page.
  void offer(LivePage page);
  // A response that the thread cannot index by itself: finish() must read the archive.
  void miss() noexcept { has_missed_ = true; }

  // The archives of a finished crawl.
  struct Archives {
    std::vector<std::string> of_this_run;
    std::vector<std::string> earlier;
  };
  // Indexes the queue and everything in the archives that is not in the index. Blocks; call it
  // once, on any thread. Fails if the index could not be written.
  Result<IndexCounts> finish(const Archives& archives);
  // Lets finish() return soon. Any thread may call it.
  void stop() noexcept { is_stopped_ = true; }

 private:
  void run();
  // Opens the index; waits while another process builds it again.
  Result<void> open();
  Result<void> index_queue(SearchWriter& writer);
  // Waits for the next page. Empty: the time is up, or there will be none.
  std::optional<LivePage> next();
  Result<IndexCounts> catch_up(SearchWriter& writer, const Archives& archives);

  const std::string path_;
  const std::size_t queue_bytes_max_;
  std::mutex mutex_;
  std::condition_variable has_news_;
  std::deque<LivePage> queue_;  // these three under the mutex
  std::size_t queue_bytes_ = 0;
  bool is_closed_ = false;
  std::atomic<bool> has_missed_ = false;
  std::atomic<bool> is_stopped_ = false;
  // Of the thread; finish() takes them after its end.
  std::optional<SearchWriter> writer_;
  std::optional<Error> failure_;
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

// Reads the text of a response and adds it. Returns false if it is not a page with text, or is in
// the index already.
Result<bool> add_response(SearchWriter& writer, const LivePage& page);

}  // namespace gossamer::index
