#pragma once

#include <functional>
#include <optional>
#include <string>

#include "crawl/page/page_sink.h"
#include "crawl/statistics.h"
#include "store/journal.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::store {

// Where a page stands in Table::pages and in Table::archived.
std::string page_key(std::uint64_t fingerprint);
std::string archived_key(const crawler::ArchivePlace& place);

// Notes every page and every skipped URL in the journal, and hands them on. They are written with
// the next commit, which the frontier makes when the page has ended.
class PageTable final : public crawler::PageSink {
 public:
  // BORROWS: the journal and the sink.
  PageTable(Journal& journal, const url::IdentityRules& identity, crawler::PageSink& next);

  // For Durability::strict: is waited for before a page is noted, so that what it says of the
  // archive is on the disk.
  void before_note(std::move_only_function<async::Task<Result<void>>()> wait) {
    before_note_ = std::move(wait);
  }

  // From here on pages are held against what was known of them; what is different is noted under
  // the beginning of that refresh.
  void begin_refresh(WallTime start);
  // What is known of a URL. Nothing: nothing, or it cannot be read.
  std::optional<crawler::FetchRecord> find(const url::Url& url);

  // Reads them from the tables, where something else has changed them. REQUIRES: nothing was put.
  void recall_statistics();

  async::Task<Result<void>> put(crawler::Page page) override;
  async::Task<Result<void>> put_other(crawler::Exchange exchange) override;
  void skip(const crawler::SkippedUrl& skipped) override;

  // Of this crawl since its first process: of two records of a URL the last counts.
  const crawler::Statistics& statistics() const noexcept { return statistics_; }

 private:
  void note(const crawler::FetchRecord& record);
  void note_change(const crawler::FetchRecord* before, const crawler::FetchRecord& now);
  void close(Batch& batch);

  Journal& journal_;
  crawler::PageSink& next_;
  url::CrawlIdentity identity_;
  crawler::Statistics statistics_;
  std::string skips_;
  std::uint64_t next_skips_ = 0;
  std::optional<WallTime> refresh_;  // its beginning
  std::uint64_t next_change_ = 0;
  bool has_news_ = false;
  std::move_only_function<async::Task<Result<void>>()> before_note_;
};

// What the tables say a crawl has done so far. Fails if they cannot be read.
Result<crawler::Statistics> stored_statistics(const Tables& tables);
void put_statistics(Batch& batch, const crawler::Statistics& statistics);

}  // namespace gossamer::store
