#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "crawl/page/page_sink.h"
#include "crawl/statistics.h"
#include "store/journal.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::store {

// Returns the key of a page in Table::pages and in Table::archived.
std::string page_key(std::uint64_t fingerprint);
std::string archived_key(const crawler::ArchivePlace& place);

// Adds every page and every skipped URL to the journal, and passes them on. They are written with
// the next commit, which the frontier makes when the page is complete.
class PageTable final : public crawler::PageSink {
 public:
  // BORROWS: the journal and the sink.
  PageTable(Journal& journal, const url::IdentityRules& identity, crawler::PageSink& next);

  // For Durability::strict: syncs the archive before a page is added, so that its place there is
  // durable.
  void before_note(std::move_only_function<async::Task<Result<void>>()> wait) {
    before_note_ = std::move(wait);
  }

  // From now on, compares pages with their earlier records and stores the changes under the start
  // of this refresh.
  void begin_refresh(WallTime start);
  // Other processes fetch these pages, too, and their records count: marks ours as duplicates of
  // their own URL.
  void mark_repeated(const std::vector<std::string>& urls);
  // A page links to a URL that was found as a guess: its record is no guess, whether it is stored
  // already or comes later.
  void mark_linked(std::uint64_t fingerprint);
  // Returns the record of a URL. Empty: there is none, or it cannot be read.
  std::optional<crawler::FetchRecord> find(const url::Url& url);
  std::string key_of(const url::Url& url) { return page_key(identity_.fingerprint(url)); }

  // Reads the statistics again after other code has changed the tables. REQUIRES: no page yet.
  void recall_statistics();

  async::Task<Result<void>> put(crawler::Page page) override;
  async::Task<Result<void>> put_other(crawler::Exchange exchange) override;
  void skip(const crawler::SkippedUrl& skipped) override;

  // The statistics of this crawl since its first process; only the last record of a URL counts.
  const crawler::Statistics& statistics() const noexcept { return statistics_; }

 private:
  void note(crawler::FetchRecord record);
  void note_change(const crawler::FetchRecord* before, const crawler::FetchRecord& now);
  void close(Batch& batch);

  Journal& journal_;
  crawler::PageSink& next_;
  url::CrawlIdentity identity_;
  crawler::Statistics statistics_;
  std::string skips_;
  std::uint64_t next_skips_ = 0;
  std::optional<WallTime> refresh_;  // its start
  std::uint64_t next_change_ = 0;
  std::unordered_set<std::uint64_t> linked_;  // guesses whose records are still to come
  bool has_news_ = false;
  std::move_only_function<async::Task<Result<void>>()> before_note_;
};

// Reads the statistics of a crawl. Fails if the tables cannot be read.
Result<crawler::Statistics> stored_statistics(const Tables& tables);
void put_statistics(Batch& batch, const crawler::Statistics& statistics);

}  // namespace gossamer::store
