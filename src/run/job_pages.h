#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/options.h"
#include "crawl/page/page_sink.h"
#include "crawl/statistics.h"
#include "run/archive_session.h"
#include "run/job_store.h"
#include "store/archive.h"
#include "store/page_table.h"
#include "store/stored_payloads.h"

namespace gossamer::run {

// The table of pages of a crawl directory, and what of it others need: the archive, requests that
// ask whether a page has changed.
class JobPages {
 public:
  // Pages that have their rows go on to `next`. Fails if the tables cannot be read. BORROWS: the
  // store and the sink.
  static Result<std::unique_ptr<JobPages>> open(JobStore& store, const crawler::Settings& settings,
                                                crawler::PageSink& next);

  JobStore& store() { return store_; }
  store::PageTable& table() { return table_; }
  crawler::PageSink& sink() { return table_; }
  // Of all runs. REQUIRES: no loop is at work.
  const crawler::Statistics& statistics() const { return table_.statistics(); }

  // With what a server can tell whether a page has changed; as they are without a refresh.
  crawler::Hooks asking_for_changes(crawler::Hooks hooks);

  // The archive knows what it has, and waits for room as everything here does. What a power cut
  // took from it waits again, as soon as that is known: before the name of a file that is gone is
  // used again. BORROWS: this.
  void prepare(ArchivePlan& plan);

  // A place to which a root was found to redirect.
  struct RootPlace {
    std::string from;  // the root, or another such place
    std::string place;
  };
  const std::vector<RootPlace>& root_places() const { return root_places_; }

 private:
  JobPages(JobStore& store, const crawler::Settings& settings, crawler::PageSink& next);
  Result<void> find_root_places(const crawler::Settings& settings);
  Result<void> put_back_lost(const store::Archive& archive);

  JobStore& store_;
  const crawler::CrawlOrder order_;
  store::StoredPayloads payloads_;
  store::PageTable table_;
  std::vector<RootPlace> root_places_;
};

}  // namespace gossamer::run
