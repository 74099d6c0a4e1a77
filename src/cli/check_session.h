#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "check/answer_cache.h"
#include "check/link_book.h"
#include "cli/check_arguments.h"
#include "crawl/statistics.h"

namespace gossamer::cli {

// How the part of a check that needs the network went.
struct WebCheck {
  crawler::EndReason end = crawler::EndReason::finished;
  std::uint64_t from_cache = 0;
  bool has_included_page = true;  // false: no page matches --include
};

// Looks through the sites, and asks for all links that lead out of them; `web_links` are further
// ones. Progress goes to stderr; the first SIGINT or SIGTERM ends it in good order, the second at
// once. Fails only if it could not begin.
// BORROWS: the loop, the book and the cache. Of the arguments the crawl's part is used up.
async::Task<Result<WebCheck>> run_check_session(async::Loop& loop, CheckArguments& arguments,
                                                std::vector<std::string> web_links,
                                                check::LinkBook& book, check::AnswerCache& cache);

}  // namespace gossamer::cli
