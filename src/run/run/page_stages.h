#pragma once

#include <memory>
#include <optional>

#include "async/task.h"
#include "engine/page/similar_pages.h"
#include "record/page_sink.h"
#include "record/statistics.h"
#include "run/failure.h"
#include "run/job/archive_session.h"
#include "run/job/job_pages.h"
#include "run/job/job_run.h"
#include "run/job/job_store.h"
#include "run/machine/machine.h"
#include "settings/crawl_settings.h"
#include "store/stored_hosts.h"

namespace gossamer::run {

class CrawlListener;
struct CrawlStart;

// The stages that a page passes: the comparison with similar pages, the archive, the crawl
// directory, and the sink of the listener. All but the last are optional. However the crawl ends,
// close() closes what was opened: first the sink, but only if begin() was called, then the archive
// and the directory.
class PageStages {
 public:
  // BORROWS: all.
  struct Parts {
    Machine& machine;
    const CrawlSettings& settings;
    JobStore* job;  // nullptr: none
    CrawlListener& listener;
  };
  // Opens the stages. If one cannot be opened, closes the others. BORROWS: all, for the life of the
  // stages.
  static async::Task<Outcome<std::unique_ptr<PageStages>>> open(Parts parts);
  // REQUIRES: close() has ended, unless an exception destroys it.
  ~PageStages();
  PageStages(const PageStages&) = delete;
  PageStages& operator=(const PageStages&) = delete;

  crawler::PageSink& sink() { return *sink_; }       // the first stage
  JobPages* pages() { return pages_.get(); }         // nullptr: no crawl directory
  JobRun* job() { return job_ ? &*job_ : nullptr; }  // likewise
  const store::StoredClock& clock() const { return clock_; }
  // For bodies that are too large for memory; nullptr: there is no archive.
  crawler::BodyFiles* bodies() { return archive_ ? &archive_->bodies() : nullptr; }

  // The first request follows. Tells it the listener.
  void begin(const CrawlStart& start);
  // The last page has passed. Returns the first failure. BORROWS: this.
  async::Task<std::optional<Failure>> close(crawler::EndReason end);
  // See ArchiveSession; does nothing without an archive. REQUIRES: close() has succeeded.
  // BORROWS: this.
  async::Task<void> finish_search_index();
  void stop_search_index();

 private:
  explicit PageStages(const Parts& parts);
  // Opens all but the last. BORROWS: this.
  async::Task<std::optional<Failure>> open_all();

  Machine& machine_;
  const CrawlSettings& settings_;
  JobStore* const store_;  // nullptr: none
  CrawlListener& listener_;
  crawler::PageSink* sink_ = nullptr;
  std::unique_ptr<JobPages> pages_;
  std::unique_ptr<ArchiveSession> archive_;
  std::optional<crawler::SimilarSink> similar_;
  store::StoredClock clock_;
  std::optional<JobRun> job_;
  bool has_begun_ = false;
  bool is_closed_ = false;
};

}  // namespace gossamer::run
