#pragma once

#include "record/record.h"
#include "record/statistics.h"

namespace gossamer::cli {

// Exit codes of crawls that ended early.
enum CrawlExitCode : int {
  kInterrupted = 11,
  kAborted = 13,
  kQuotaReached = 14,
  kTimeLimitReached = 15,
  kIncomplete = 16,
  kMemoryLimitReached = 17,
  kClusterFailed = 18,
};

// Returns wget's code for the failure or the status of a record.
int exit_code_for(const crawler::FetchRecord& record);
// Returns the worst code of all counted records.
int exit_code_for(const crawler::Statistics& statistics);
// Returns kFailed if a guard skipped URLs by a guess, so the crawl is not complete; else kOk.
int exit_code_for_guesses(const crawler::Statistics& statistics);
// Returns the code of a crawl; `records` is the worst of its records.
int exit_code_for(crawler::EndReason end, int records);

}  // namespace gossamer::cli
