#pragma once

#include <functional>
#include <memory>

#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "cli/crawl_arguments.h"
#include "crawl/page/record.h"
#include "crawl/statistics.h"
#include "run/failure.h"
#include "run/job_store.h"

namespace gossamer::cli {

// How a crawl from the command line went.
struct CrawlOutcome {
  crawler::EndReason end = crawler::EndReason::finished;
  int exit_code = 0;
};

// Crawls as the arguments say: results and skipped URLs go where they shall, progress and report to
// stderr; the first SIGINT or SIGTERM ends it in good order, the second at once, SIGQUIT shows what
// every task is waiting for. Fails only if it could not begin. With `job`, it is kept there.
// BORROWS: the loop. The arguments are used up.
async::Task<run::Outcome<CrawlOutcome>> run_crawl_session(
    async::Loop& loop, CrawlArguments arguments,
    std::move_only_function<void(const crawler::FetchRecord&)> observer = {},
    std::unique_ptr<run::JobStore> job = nullptr);

// One line on stderr about a crawl that could not begin. Gives the exit code.
int report_failure(std::string_view command, const run::Failure& failure);

// Before the loop is made: as many descriptors as the crawl wants and the machine allows, with a
// line on stderr if these are too few. REQUIRES: run::complete() succeeded.
Result<std::unique_ptr<async::Driver>> prepare_driver(CrawlArguments& arguments);

}  // namespace gossamer::cli
