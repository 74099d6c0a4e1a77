#pragma once

#include "crawl/page/record.h"
#include "crawl/statistics.h"

namespace gossamer::cli {

// The exit codes that only crawls have: they ended early.
enum CrawlExitCode : int {
  kInterrupted = 11,
  kAborted = 13,
  kQuotaReached = 14,
  kTimeLimitReached = 15,
  kIncomplete = 16,
  kMemoryLimitReached = 17,
};

// Of one record: wget's code for its failure or its status.
int exit_code_for(const crawler::FetchRecord& record);
// The worst of the records that were counted.
int exit_code_for(const crawler::Statistics& statistics);
// Of the crawl; `records` is the worst of its records.
int exit_code_for(crawler::EndReason end, int records);

}  // namespace gossamer::cli
