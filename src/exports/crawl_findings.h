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
#include "crawl/options.h"
#include "crawl/page/record.h"
#include "crawl/statistics.h"
#include "report/collector.h"
#include "report/report.h"
#include "report/why.h"
#include "store/whole_file.h"
#include "url/url.h"

namespace gossamer::exports {

struct FindingsOptions {
  std::vector<std::string> report_files = {};
  std::size_t report_bytes = report::Collector::kMemoryBytes;  // of memory that a report may take
  std::vector<url::Url> why = {};                              // of which the user wants to know
};

// The end of the name says how a report is written: .html, .json, .md. False: not at all.
bool is_report_name(std::string_view path);

// What a crawl finds, for reports and for `--why`.
class CrawlFindings {
 public:
  // nullptr if nobody asks. Fails with Errc::io_failed if a report could not be written at the end.
  static Result<std::unique_ptr<CrawlFindings>> open(const FindingsOptions& options,
                                                     const crawler::Settings& crawl);

  void add(const crawler::FetchRecord& record);
  void skip(const crawler::SkippedUrl& skipped);
  // Has the links shown to this, too. The hooks may be of another loop and its thread.
  // BORROWS: this, as long as the hooks live.
  void watch_links(crawler::Hooks& hooks);

  // Why each URL of `--why` was fetched or not. Empty if there are none.
  std::string answers();
  // Writes all reports. Fails with Errc::io_failed. Once, at the end.
  Result<void> write_reports(crawler::EndReason end, Duration took,
                             const crawler::Statistics& statistics);

 private:
  CrawlFindings(const FindingsOptions& options, const crawler::Settings& crawl);
  void see_link(const crawler::FoundLink& link);

  report::Occasion occasion_;
  std::vector<store::WholeFile> files_;
  std::mutex mutex_;  // guards what follows: links come from all loops
  report::Collector collector_;
  report::Why why_;
};

}  // namespace gossamer::exports
