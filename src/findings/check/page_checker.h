#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "async/task.h"
#include "base/result.h"
#include "check/answer.h"
#include "check/answer_cache.h"
#include "check/link_book.h"
#include "engine/setup/options.h"
#include "record/page_sink.h"
#include "scope/url_pattern.h"

namespace gossamer::check {

// Which fragments are checked.
enum class FragmentCheck : std::uint8_t {
  none,
  site,  // of the pages of the site, and of files
  all,   // also of pages of other sites, which are fetched completely
};

struct CheckOptions {
  AcceptedStatuses accepted;
  FragmentCheck fragments = FragmentCheck::site;
  // Fetch links to other hosts. Otherwise they are reported as unchecked.
  bool checks_external = true;
  // Report mailto: links whose address is invalid. No mail is sent.
  bool checks_mail = false;
};

// Receives the pages of a crawl and enters them and the results for their links into the book.
class PageChecker final : public crawler::PageSink {
 public:
  // BORROWS: the book and the cache.
  PageChecker(CheckOptions options, LinkBook& book, AnswerCache& cache)
      : options_(std::move(options)), book_(book), cache_(cache) {}

  async::Task<Result<void>> put(crawler::Page page) override;
  void skip(const crawler::SkippedUrl& skipped) override;

  // Configures the crawl: all links are fetched, except those that the cache knows.
  void set_up(crawler::Options& options);

  std::uint64_t from_cache() const noexcept { return from_cache_; }
  // Returns false if `include` is used and no page matches it.
  bool has_included_page() const noexcept { return include_.empty() || has_included_page_; }

 private:
  // Returns whether the host is none of those that the check started with. Only responses of such
  // hosts are cached.
  bool is_external(const url::Url& url) const;
  bool wants_leaf(const url::Url& url);
  void take_from_cache(std::string_view url);
  // Works in steps, between which other tasks run; stops when it is cancelled. BORROWS: both.
  async::Task<void> look_through(crawler::Page& page, const url::Url& url);

  const CheckOptions options_;
  LinkBook& book_;
  AnswerCache& cache_;
  std::unordered_set<std::string> own_hosts_;
  std::unordered_set<std::string> roots_;
  crawler::UrlPatterns include_;
  crawler::UrlPatterns exclude_;
  std::uint64_t from_cache_ = 0;
  bool has_included_page_ = false;
};

}  // namespace gossamer::check
