#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/setup/options.h"
#include "record/record.h"
#include "record/statistics.h"
#include "report/collector.h"
#include "report/findings_options.h"
#include "report/report.h"
#include "report/why.h"
#include "store/whole_file.h"
#include "url/url.h"

namespace gossamer::exports {

// Collects the findings of a crawl for reports and `--why`.
class CrawlFindings {
 public:
  // nullptr if there are no reports, no audit and no `--why`. Fails with Errc::io_failed if a file
  // could not be written at the end.
  static Result<std::unique_ptr<CrawlFindings>> open(const report::FindingsOptions& options,
                                                     const crawler::Settings& crawl);

  void add(const crawler::FetchRecord& record);
  void skip(const crawler::SkippedUrl& skipped);
  // Makes the hooks report links to this object, too. They may belong to another loop and thread.
  // BORROWS: this, while the hooks live.
  void watch_links(crawler::Hooks& hooks);

  // Explains why each URL of `--why` was fetched or not. Empty if there are none.
  std::string answers();
  // Writes all reports and the audit; call it once, at the end. Fails with Errc::io_failed.
  Result<void> write_reports(crawler::EndReason end, Duration took,
                             const crawler::Statistics& statistics);

 private:
  CrawlFindings(const report::FindingsOptions& options, const crawler::Settings& crawl);
  void see_link(const crawler::FoundLink& link);
  Result<void> write_audit();

  report::Occasion occasion_;
  std::vector<store::WholeFile> files_;
  std::optional<store::WholeFile> audit_file_;
  std::mutex mutex_;  // guards the members below: links come from all loops
  report::Collector collector_;
  report::Why why_;
};

}  // namespace gossamer::exports
