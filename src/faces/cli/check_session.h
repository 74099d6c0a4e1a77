#pragma once

#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "cli/check_arguments.h"
#include "record/page_sink.h"
#include "record/statistics.h"

namespace gossamer::cli {

// Runs the crawl of a check. Progress goes to stderr. The first SIGINT or SIGTERM lets requests in
// flight finish, the second stops immediately. Fails only if the check could not start. Moves from
// the arguments. BORROWS: the loop and the sink.
async::Task<Result<crawler::EndReason>> run_check_session(async::Loop& loop,
                                                          CheckArguments& arguments,
                                                          crawler::PageSink& sink);

}  // namespace gossamer::cli
