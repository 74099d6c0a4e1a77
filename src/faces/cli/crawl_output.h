#pragma once

#include <functional>
#include <memory>

#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "cli/crawl_arguments.h"
#include "display/progress_display.h"
#include "engine/setup/options.h"
#include "exports/crawl_findings.h"
#include "record/page_sink.h"
#include "record/record_format.h"
#include "report/root_troubles.h"
#include "terminal/line_output.h"

namespace gossamer::cli {

using RecordObserver = std::move_only_function<void(const crawler::FetchRecord&)>;

// Writes the records of pages and skipped URLs.
class CrawlOutput final : public crawler::PageSink {
 public:
  // Opens the files. Fails with Errc::io_failed.
  static Result<std::unique_ptr<CrawlOutput>> open(const CrawlOutputOptions& options,
                                                   const crawler::Settings& crawl,
                                                   RecordObserver observer);

  async::Task<Result<void>> put(crawler::Page page) override;
  void skip(const crawler::SkippedUrl& skipped) override;

  // Starts writing. BORROWS: the scope, whose owner joins the writers.
  void start(async::Scope& scope, std::move_only_function<void()> on_failure);
  // BORROWS: the output.
  async::Task<Result<void>> finish();

  // Sets the progress display, which is hidden while results go to the same terminal.
  // BORROWS: the display, while anything is added or written.
  void stand_beside(display::ProgressDisplay& display);

  // Returns the worst exit code of all records.
  int worst() const { return worst_; }
  // Returns a sentence for each root that could not be fetched.
  const report::RootTroubles& troubles() const { return troubles_; }
  // nullptr if there is no --report and no --why.
  exports::CrawlFindings* findings() { return findings_.get(); }
  crawler::Hooks watched(crawler::Hooks hooks);

 private:
  CrawlOutput(crawler::RecordFormat format, std::unique_ptr<terminal::LineOutput> results,
              std::unique_ptr<exports::CrawlFindings> findings, RecordObserver observer);

  const crawler::RecordFormat format_;
  std::unique_ptr<terminal::LineOutput> results_;
  std::unique_ptr<terminal::LineOutput> skipped_;  // nullptr: no --skipped
  const std::unique_ptr<exports::CrawlFindings> findings_;
  RecordObserver observer_;
  std::move_only_function<void()> on_failure_;
  display::ProgressDisplay* display_ = nullptr;  // nullptr: none
  report::RootTroubles troubles_;
  int worst_;
};

}  // namespace gossamer::cli
