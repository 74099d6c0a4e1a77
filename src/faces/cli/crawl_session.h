#pragma once

#include <functional>
#include <memory>

#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "cli/crawl_arguments.h"
#include "record/record.h"
#include "record/statistics.h"
#include "run/failure.h"
#include "run/job/job_store.h"

namespace gossamer::cli {

// The result of a crawl from the command line.
struct CrawlOutcome {
  crawler::EndReason end = crawler::EndReason::finished;
  int exit_code = 0;
};

// Runs a crawl. Results and skipped URLs go to their files, progress and summary to stderr. The
// first SIGINT or SIGTERM lets requests in flight finish, the second stops immediately, and SIGQUIT
// shows what every task waits for. Fails only if the crawl could not start. With `job`, the crawl
// is stored there. BORROWS: the loop.
async::Task<run::Outcome<CrawlOutcome>> run_crawl_session(
    async::Loop& loop, CrawlArguments arguments,
    std::move_only_function<void(const crawler::FetchRecord&)> observer = {},
    std::unique_ptr<run::JobStore> job = nullptr);

// Prints one line on stderr about a crawl that could not start. Returns the exit code.
int report_failure(std::string_view command, const run::Failure& failure);

// Raises the limit of open files as far as the crawl needs and the machine allows, and makes the
// driver. Prints a line on stderr if the limit is too low. REQUIRES: run::complete() succeeded.
Result<std::unique_ptr<async::Driver>> prepare_driver(CrawlArguments& arguments);

}  // namespace gossamer::cli
