// A crawl as a sequence of pages, for programs that embed Gossamer.
//
//   for (const gossamer::Page& page : gossamer::crawl("https://example.com/"))
//     std::printf("%d %s %s\n", page.status(), page.url().c_str(), page.title().c_str());
//
// The crawl runs on a thread of its own. It never runs far ahead: a slow consumer slows it down.
// Whoever leaves early stops it. In a crawl directory a page counts as fetched when the consumer
// has come back for the next one, so a later run brings whatever this one did not hand over.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "crawl/page/page_sink.h"
#include "crawl/page/record.h"
#include "run/crawl.h"
#include "run/crawl_progress.h"
#include "run/crawl_settings.h"
#include "run/failure.h"

namespace gossamer::run {

// What became of one URL.
class Page {
 public:
  explicit Page(crawler::Page page) noexcept : page_(std::move(page)) {}

  const std::string& url() const { return page_.record.url; }
  int status() const { return page_.record.status.value_or(0); }  // 0: there was no answer
  // A short stable code: "timed_out". Empty: nothing went wrong.
  std::string_view error() const { return page_.record.error; }
  const std::string& title() const { return page_.record.title; }
  const std::string& type() const { return page_.record.mime; }  // "text/html"
  // The page it was found on; empty for the first.
  const std::string& found_on() const { return page_.record.via; }
  std::uint32_t depth() const { return page_.record.depth; }
  // Where a redirect leads; empty: it is none.
  const std::string& redirects_to() const { return page_.record.next_url; }
  // Decoded, as bytes. Empty unless CrawlSettings::keeps_bodies.
  const std::string& body() const { return page_.body; }
  // All that is known of it.
  const crawler::FetchRecord& record() const { return page_.record; }

 private:
  crawler::Page page_;
};

// One consumer takes the pages, on whatever thread. Destroying it stops the crawl and waits for its
// end.
class PageStream {
 public:
  // Begins to crawl at once.
  explicit PageStream(CrawlSettings settings);
  ~PageStream();
  PageStream(PageStream&&) noexcept;
  PageStream& operator=(PageStream&&) = delete;

  // The next page; nothing at the end. The page before it counts as taken by then.
  std::optional<Page> next_page();
  // The same for a coroutine, on any loop. Nothing, too, when the caller is cancelled.
  // BORROWS: this.
  async::Task<std::optional<Page>> next();

  // From any thread, but not from a hook. stop(): no further pages are begun; those in flight still
  // come.
  void stop();
  void pause();
  void resume();
  CrawlProgress progress();

  // How it went, or why it could not begin. nullptr until there are no more pages.
  const Outcome<CrawlEnd>* result() const;

  // For a range-based for loop, once.
  class Iterator {
   public:
    using value_type = Page;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(PageStream& stream) : stream_(&stream), page_(stream.next_page()) {}
    const Page& operator*() const { return *page_; }
    const Page* operator->() const { return &*page_; }
    Iterator& operator++() {
      page_ = stream_->next_page();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !page_; }

   private:
    PageStream* stream_ = nullptr;
    std::optional<Page> page_;
  };
  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  class Producer;
  std::unique_ptr<Producer> producer_;
};

}  // namespace gossamer::run
