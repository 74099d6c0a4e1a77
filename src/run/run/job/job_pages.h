#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "engine/page/similar_pages.h"
#include "engine/setup/options.h"
#include "record/page_sink.h"
#include "record/statistics.h"
#include "run/job/archive_session.h"
#include "run/job/job_store.h"
#include "store/archive.h"
#include "store/page_table.h"
#include "store/stored_payloads.h"

namespace gossamer::run {

// The table of pages in a crawl directory, for the archive and for conditional requests.
class JobPages {
 public:
  // Writes a row per page and passes the page to `next`. Fails if the tables cannot be read.
  // BORROWS: the store and the sink.
  static Result<std::unique_ptr<JobPages>> open(JobStore& store, const crawler::Settings& settings,
                                                crawler::PageSink& next);

  JobStore& store() { return store_; }
  store::PageTable& table() { return table_; }
  crawler::PageSink& sink() { return table_; }
  // The statistics of all runs. REQUIRES: no loop is running.
  const crawler::Statistics& statistics() const { return table_.statistics(); }

  // Lets the sink know the texts of earlier processes, in steps. Pages that cannot be read are left
  // out, and so are those that a refresh will fetch: their texts may change. Of pages that did not
  // change, the sink then takes the stored text. Pages that a refresh will not fetch, and that were
  // similar to one that it will, are compared again. Fails only with Errc::cancelled. BORROWS: the
  // sink.
  async::Task<Result<void>> recall_texts(crawler::SimilarSink& similar);

  // In a refresh, adds the fields that make requests conditional.
  crawler::Hooks asking_for_changes(crawler::Hooks hooks);

  // For the archive: it knows the stored payloads and waits for free space. Pages that a power cut
  // removed from it are queued again before the name of a lost file is reused. BORROWS: this.
  ArchiveSession::Job for_archive();

  // The pages that the archive had lost when it was opened. They are queued again.
  std::size_t lost() const { return lost_; }

  // A redirect target of a root.
  struct RootPlace {
    std::string from;  // the root, or another redirect target
    std::string place;
  };
  const std::vector<RootPlace>& root_places() const { return root_places_; }

 private:
  JobPages(JobStore& store, const crawler::Settings& settings, crawler::PageSink& next);
  // Calls `use` with every stored page, in steps. Writes the changes it makes after each step.
  // Fails only with Errc::cancelled. BORROWS: this.
  using UsePage =
      std::move_only_function<void(const crawler::FetchRecord& record, store::Batch& changes)>;
  async::Task<Result<void>> for_each_page(UsePage use);
  Result<void> find_root_places(const crawler::Settings& settings);
  Result<void> put_back_lost(const store::Archive& archive);

  JobStore& store_;
  const crawler::CrawlOrder order_;
  store::StoredPayloads payloads_;
  store::PageTable table_;
  std::vector<RootPlace> root_places_;
  std::size_t lost_ = 0;
};

}  // namespace gossamer::run
