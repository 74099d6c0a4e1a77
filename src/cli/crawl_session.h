#pragma once

#include <functional>

#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "cli/crawl_arguments.h"
#include "cli/crawl_job.h"
#include "crawl/record.h"
#include "crawl/statistics.h"

namespace gossamer::cli {

// How a crawl from the command line went.
struct CrawlOutcome {
  crawl::EndReason end = crawl::EndReason::finished;
  crawl::Statistics statistics;
  int exit_code = 0;
};

// Crawls as the arguments say: results and skipped URLs go where they shall, progress and report to
// stderr; the first SIGINT or SIGTERM ends it in good order, the second at once, SIGQUIT shows what
// every task is waiting for. Fails only if it could not begin or its files could not be written.
// With `job`, it is kept there. BORROWS: the loop and the job. The arguments are used up.
async::Task<Result<CrawlOutcome>> run_crawl_session(
    async::Loop& loop, CrawlArguments arguments,
    std::move_only_function<void(const crawl::FetchRecord&)> observer = {},
    CrawlJob* job = nullptr);

// Before the loop is made: as many descriptors as the crawl wants and the machine allows, with a
// line on stderr if these are too few. REQUIRES: settle_crawl() was content.
Result<std::unique_ptr<async::Driver>> prepare_driver(CrawlArguments& arguments);

}  // namespace gossamer::cli
