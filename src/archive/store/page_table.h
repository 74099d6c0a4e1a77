#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "record/page_sink.h"
#include "record/statistics.h"
#include "store/journal.h"
#include "store/repeated_page.h"
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
  // The loops of this process, which began at that time, are nodes of a shared crawl. If a lease
  // expires, two of them may fetch the same page: the row of the later request is kept.
  void share(WallTime start) { shared_since_ = start; }
  // Other nodes fetch these pages, too, and their records count: marks ours as duplicates of their
  // own URL. A row of a later request stays, since it is that of the next holder.
  void mark_repeated(const std::vector<RepeatedPage>& pages);
  // A page links to a URL that was found as a guess: its record is no guess, whether it is stored
  // already or comes later.
  void mark_linked(std::uint64_t fingerprint);
  // Returns the record of a URL. Empty: there is none, or it cannot be read; then the journal
  // fails.
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
  // The journal fails if the tables could not be read: nothing may be written that depends on it.
  void expect(Result<void> read);
  std::optional<crawler::FetchRecord> record_in(const Result<std::optional<std::string>>& row);
  void note(crawler::FetchRecord record);
  // The newest row of a page, also if it is not committed yet.
  std::optional<crawler::FetchRecord> newest(const std::string& key);
  // Replaces a row after a change that received nothing. `before` is the row as it was.
  void replace(std::string key, const crawler::FetchRecord& before,
               const crawler::FetchRecord& now);
  // True if the row is that of a later request by this process.
  bool is_late(const crawler::FetchRecord& record, const crawler::FetchRecord& row) const;
  void note_change(const crawler::FetchRecord* before, const crawler::FetchRecord& now);
  void close(Batch& batch);

  Journal& journal_;
  crawler::PageSink& next_;
  url::CrawlIdentity identity_;
  crawler::Statistics statistics_;
  std::string skips_;
  std::uint64_t next_skips_ = 0;
  std::optional<WallTime> refresh_;       // its start
  std::optional<WallTime> shared_since_;  // empty: the crawl is not shared
  std::uint64_t next_change_ = 0;
  std::unordered_set<std::uint64_t> linked_;  // guesses whose records are still to come
  bool has_news_ = false;
  std::move_only_function<async::Task<Result<void>>()> before_note_;
};

// Reads the statistics of a crawl. Fails if the tables cannot be read.
Result<crawler::Statistics> stored_statistics(const Tables& tables);
void put_statistics(Batch& batch, const crawler::Statistics& statistics);

}  // namespace gossamer::store
