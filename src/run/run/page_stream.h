// A crawl as a sequence of pages, for programs that embed Gossamer.
//
//   for (const gossamer::Page& page : gossamer::crawl("https://example.com/"))
//     std::printf("%d %s %s\n", page.status(), page.url().c_str(), page.title().c_str());
//
// The crawl runs on its own thread. It never runs far ahead: a slow consumer slows it down, and
// destroying the stream stops it. In a crawl directory a page counts as fetched when the consumer
// takes the next one, so a later run delivers the pages that were not consumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "content/extracted.h"
#include "content/metadata.h"
#include "record/page_sink.h"
#include "record/record.h"
#include "run/control/crawl_progress.h"
#include "run/crawl.h"
#include "run/failure.h"
#include "settings/crawl_settings.h"

namespace gossamer::run {

// The result of one URL.
class Page {
 public:
  explicit Page(crawler::Page page) noexcept : page_(std::move(page)) {}

  const std::string& url() const { return page_.record.url; }
  int status() const { return page_.record.status.value_or(0); }  // 0: no response
  // A short stable code: "timed_out". Empty: no error.
  std::string_view error() const { return page_.record.error; }
  const std::string& title() const { return page_.record.title; }
  const std::string& type() const { return page_.record.mime; }  // "text/html"
  // The page with the link; empty for roots.
  const std::string& found_on() const { return page_.record.via; }
  std::uint32_t depth() const { return page_.record.depth; }
  // The target of a redirect; empty: it is not one.
  const std::string& redirects_to() const { return page_.record.next_url; }
  // Decoded, as bytes. Empty unless CrawlSettings::keeps_bodies.
  const std::string& body() const { return page_.body; }
  // The head of the response: its status line and its fields. Empty unless
  // CrawlSettings::keeps_heads.
  const std::string& head() const { return page_.record.head; }
  // Its fields, with names in lower case.
  std::vector<crawler::HeaderField> headers() const {
    return crawler::header_fields(page_.record.head);
  }
  // All links of the page, with repetitions. Empty unless CrawlSettings::keeps_links.
  std::span<const crawler::PageLink> links() const {
    if (!page_.record.links) return {};
    return *page_.record.links;
  }
  // The value of a field of CrawlSettings::extract; nullptr if nothing matched.
  const std::string* extracted(std::string_view name) const {
    const content::ExtractedField* const field = content::find_field(page_.record.extracted, name);
    return field == nullptr || field->values.empty() ? nullptr : &field->values.front();
  }
  // The values of a field with [] after its name.
  std::span<const std::string> extracted_list(std::string_view name) const {
    const content::ExtractedField* const field = content::find_field(page_.record.extracted, name);
    return field == nullptr ? std::span<const std::string>() : field->values;
  }
  // The fields of each match of CrawlSettings::items. BORROWS: the page.
  std::vector<std::span<const content::ExtractedField>> items() const {
    return content::rows_of(page_.record.extracted);
  }
  // The main text, with CrawlSettings::keeps_text or keeps_markdown.
  const std::string& text() const { return page_.record.text; }
  const std::string& markdown() const { return page_.record.markdown; }
  // What the page states about itself; nullptr without CrawlSettings::keeps_metadata.
  const content::Metadata* metadata() const { return page_.record.metadata.get(); }
  // What its robots rules forbid: "noindex, noarchive". Empty: nothing.
  const std::string& robots() const { return page_.record.robots; }
  // The first page with nearly the same main text, with CrawlSettings::finds_similar; empty: none.
  const std::string& similar_to() const { return page_.record.similar_to; }
  // The full record.
  const crawler::FetchRecord& record() const { return page_.record; }

 private:
  crawler::Page page_;
};

// One consumer takes the pages, on any thread. The destructor stops the crawl and waits for its
// end.
class PageStream {
 public:
  // Starts the crawl.
  explicit PageStream(CrawlSettings settings);
  // The same for settings that complete() has checked.
  static PageStream of_completed(CrawlSettings settings);
  ~PageStream();
  PageStream(PageStream&&) noexcept;
  PageStream& operator=(PageStream&&) = delete;

  // Returns the next page; nothing at the end. The previous page counts as consumed then.
  std::optional<Page> next_page();
  // The same for a coroutine, on any loop. Also returns nothing if the caller is cancelled.
  // BORROWS: this.
  async::Task<std::optional<Page>> next();
  // Returns the next page if it is there, without waiting. If there is none and `has_ended` is
  // false, `on_news` is called once, on the crawl's thread, when a page or the end has come, even
  // if another caller takes that page. The last one counts, so callers that share a stream must
  // wait for the same thing. It must neither block nor call the stream.
  std::optional<Page> try_next(bool& has_ended, std::move_only_function<void()> on_news);

  // Any thread may call these, but not a hook. stop() starts no more fetches; pages in flight are
  // still delivered.
  void stop();
  void pause();
  void resume();
  CrawlProgress progress();

  // The result, or why the crawl could not start. nullptr until there are no more pages.
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
  explicit PageStream(std::unique_ptr<Producer> producer);
  std::unique_ptr<Producer> producer_;
};

}  // namespace gossamer::run
