#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "async/task.h"
#include "base/result.h"
#include "check/answer.h"
#include "check/answer_cache.h"
#include "check/ledger.h"
#include "crawl/options.h"
#include "crawl/page/page_sink.h"
#include "crawl/scope/url_pattern.h"

namespace gossamer::check {

// Which places in pages are looked for.
enum class FragmentCheck : std::uint8_t {
  none,
  site,  // of the pages that are looked through, and of files
  all,   // of pages of other sites too: they are fetched whole
};

struct CheckOptions {
  AcceptedStatuses accepted;
  FragmentCheck fragments = FragmentCheck::site;
  // Links to other hosts are asked for. Else they are said to be unchecked.
  bool checks_external = true;
};

// Stands behind a crawl: enters its pages into the ledger, and what it learns of their links.
class PageChecker final : public crawler::PageSink {
 public:
  // BORROWS: the ledger and the cache.
  PageChecker(CheckOptions options, Ledger& ledger, AnswerCache& cache)
      : options_(std::move(options)), ledger_(ledger), cache_(cache) {}

  async::Task<Result<void>> put(crawler::Page page) override;
  void skip(const crawler::SkippedUrl& skipped) override;

  // What the crawl has to know: all links are asked for, those of which the cache knows are not.
  void set_up(crawler::Options& options);

  std::uint64_t from_cache() const noexcept { return from_cache_; }
  // False: there are --include, and no page that was looked through matches one.
  bool has_included_page() const noexcept { return include_.empty() || has_included_page_; }

 private:
  // Of another host than those that the check began with: only for these there is a cache.
  bool is_external(const url::Url& url) const;
  bool wants_leaf(const url::Url& url);
  void take_from_cache(std::string_view url);
  // In steps, between which others have their turn; stops when it is cancelled. BORROWS: both.
  async::Task<void> look_through(const crawler::Page& page, const url::Url& url);

  const CheckOptions options_;
  Ledger& ledger_;
  AnswerCache& cache_;
  std::unordered_set<std::string> own_hosts_;
  std::unordered_set<std::string> roots_;
  crawler::UrlPatterns include_;
  crawler::UrlPatterns exclude_;
  std::uint64_t from_cache_ = 0;
  bool has_included_page_ = false;
};

}  // namespace gossamer::check
