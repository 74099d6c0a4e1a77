#pragma once

#include <optional>

#include "async/task.h"
#include "cli/crawl_arguments.h"
#include "http/client.h"

namespace gossamer::cli {

// Logs in wherever the arguments say, before anything is crawled. The cookies of the sessions are
// in CrawlArguments::session then, with those of the user's files. Gives the exit code instead if a
// login failed: 6, or what the network's trouble is called. One line on stderr then says why,
// without any secret. BORROWS: both.
async::Task<std::optional<int>> log_in_first(http::Client& client, CrawlArguments& arguments);

}  // namespace gossamer::cli
