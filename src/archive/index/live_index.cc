#include "index/live_index.h"

#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "async/monotonic.h"
#include "base/bytes.h"
#include "index/response_text.h"
#include "url/url.h"
#include "warc/record.h"

namespace gossamer::index {
namespace {

// Searches see a page after at most this time.
constexpr Duration kCommitTime = 1s;
// Between attempts to open an index that another process builds again.
constexpr Duration kOpenInterval = 1s;

}  // namespace

Result<bool> add_response(SearchWriter& writer, const LivePage& page) {
  const auto url = url::Url::parse(page.url);
  if (!url || !is_indexed(*url)) return false;
  const auto skip = [&]() -> Result<bool> {
    if (auto done = writer.skip(url->without_fragment(), page.captured); !done) {
      return fail(std::move(done).error());
    }
    return false;
  };
  if (page.head.empty()) return skip();
  warc::RecordHead head;
  head.type = warc::RecordType::response;
  head.block_bytes = page.bytes();
  head.fields.append("Content-Type", "application/http;msgtype=response");
  IndexedBody body;
  warc::AnswerReader reader(head, {}, body);
  reader.feed(as_bytes(page.head));
  reader.feed(as_bytes(page.payload));
  auto text = text_of(reader.finish(true), body, *url);
  if (!text) return skip();
  const PageOrigin origin = {.url = std::string(url->without_fragment()),
                             .captured = page.captured,
                             .mime = std::move(text->mime),
                             .archive = archive_name(writer.path(), page.archive),
                             .offset = page.offset};
  return writer.add(origin, text->text);
}

struct LiveIndex::Thread {
  std::thread thread;
};

LiveIndex::LiveIndex(std::string path, std::size_t queue_bytes)
    : path_(std::move(path)),
      queue_bytes_max_(queue_bytes),
      thread_(new Thread{std::thread([this] { run(); })}) {}

LiveIndex::~LiveIndex() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    is_stopped_ = true;
  }
  has_news_.notify_one();
  if (thread_->thread.joinable()) thread_->thread.join();
}

void LiveIndex::offer(LivePage page) {
  {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = page.bytes();
    if (queue_.size() >= kQueuePages || queue_bytes_ + bytes > queue_bytes_max_) {
      has_missed_ = true;
      return;
    }
    queue_bytes_ += bytes;
    queue_.push_back(std::move(page));
  }
  has_news_.notify_one();
}

std::optional<LivePage> LiveIndex::next() {
  std::unique_lock lock(mutex_);
  has_news_.wait_for(lock, kCommitTime, [this] { return !queue_.empty() || is_closed_; });
  if (queue_.empty() || is_stopped_) return std::nullopt;
  LivePage page = std::move(queue_.front());
  queue_.pop_front();
  queue_bytes_ -= page.bytes();
  return page;
}

Result<void> LiveIndex::open() {
  for (;;) {
    auto writer = SearchWriter::open(path_);
    if (writer) {
      writer_.emplace(std::move(*writer));
      return {};
    }
    if (writer.error() != Errc::unavailable) return fail(std::move(writer).error());
    std::unique_lock lock(mutex_);
    if (has_news_.wait_for(lock, kOpenInterval, [this] { return is_closed_; })) {
      return fail(std::move(writer).error());
    }
  }
}

void LiveIndex::run() {
  auto done = open();
  if (done) done = index_queue(*writer_);
  if (!done) failure_ = std::move(done).error();
  // Without an index, pages would fill the queue for nothing.
  const std::lock_guard lock(mutex_);
  if (failure_) {
    has_missed_ = true;
    queue_.clear();
    queue_bytes_ = queue_bytes_max_ + 1;
  }
}

Result<void> LiveIndex::index_queue(SearchWriter& writer) {
  Instant committed = async::monotonic_now();
  while (true) {
    const std::optional<LivePage> page = next();
    if (page) {
      auto added = add_response(writer, *page);
      // Another process writes: finish() finds the page in the archive.
      const bool is_busy = !added && added.error() == Errc::unavailable;
      if (is_busy) has_missed_ = true;
      if (!added && !is_busy) return fail(std::move(added).error());
    }
    const Instant now = async::monotonic_now();
    if (!page || writer.is_batch_full() || now - committed >= kCommitTime) {
      if (auto done = writer.commit(); !done) return done;
      committed = now;
    }
    if (page) continue;
    const std::lock_guard lock(mutex_);
    if (is_stopped_ || (is_closed_ && queue_.empty())) return {};
  }
}

Result<IndexCounts> LiveIndex::finish(const Archives& archives) {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  has_news_.notify_one();
  thread_->thread.join();
  // The other process may have ended since. The archives have the pages that it did not see.
  if (failure_ && *failure_ == Errc::unavailable && !writer_ && !is_stopped_) {
    auto opened = SearchWriter::open(path_);
    if (!opened) return fail(std::move(opened).error());
    writer_.emplace(std::move(*opened));
    failure_.reset();
  }
  // A damaged index shows late. It is derived, so a new one is made from the archives.
  if (failure_ && *failure_ == Errc::malformed && !is_stopped_) {
    writer_.reset();
    auto created = SearchWriter::create(path_);
    if (!created) return fail(std::move(created).error());
    writer_.emplace(std::move(*created));
    failure_.reset();
  }
  if (failure_) return fail(std::move(*failure_));
  auto counts = catch_up(*writer_, archives);
  if (!counts) return counts;
  if (auto done = writer_->publish(); !done) return fail(std::move(done).error());
  return counts;
}

Result<IndexCounts> LiveIndex::catch_up(SearchWriter& writer, const Archives& archives) {
  const std::uint64_t added = writer.added();
  // If no page was left out, the files of this run need not be read.
  for (const std::string& path : archives.of_this_run) {
    if (has_missed_ || is_stopped_) break;
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error) continue;
    const ArchivePosition end = archive_position(archive_begin(path), bytes);
    if (auto set = writer.set_position(archive_name(path_, path), end); !set) {
      return fail(std::move(set).error());
    }
  }
  std::vector<std::string> paths = archives.earlier;
  paths.insert(paths.end(), archives.of_this_run.begin(), archives.of_this_run.end());
  add_former_archives(writer, paths);
  IndexEvents events;
  events.is_stopped = [this] { return is_stopped_.load(); };
  auto counts = index_archives(writer, paths, std::move(events));
  if (counts) counts->added += added;
  return counts;
}

}  // namespace gossamer::index
