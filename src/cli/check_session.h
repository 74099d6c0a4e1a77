#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "check/answer_cache.h"
#include "check/findings.h"
#include "check/link_book.h"
#include "cli/check_arguments.h"
#include "crawl/statistics.h"

namespace gossamer::cli {

// The result of the part of a check that uses the network.
struct WebCheck {
  crawler::EndReason end = crawler::EndReason::finished;
  std::uint64_t from_cache = 0;
  bool has_included_page = true;  // false: no page matches --include
  // With --seo: the first faults of each rule, and the number of all.
  std::vector<check::Finding> faults;
  std::uint64_t fault_count = 0;
};

// Reads the sites and checks all links that leave them, and `web_links`. Progress goes to stderr.
// The first SIGINT or SIGTERM lets requests in flight finish, the second stops immediately. Fails
// only if the check could not start. Moves from the crawl's part of the arguments.
// BORROWS: the loop, the book and the cache.
async::Task<Result<WebCheck>> run_check_session(async::Loop& loop, CheckArguments& arguments,
                                                std::vector<std::string> web_links,
                                                check::LinkBook& book, check::AnswerCache& cache);

}  // namespace gossamer::cli
