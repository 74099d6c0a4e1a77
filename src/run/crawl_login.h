#pragma once

#include <vector>

#include "async/task.h"
#include "http/client.h"
#include "run/crawl_settings.h"
#include "run/failure.h"
#include "run/machine.h"
#include "wire/cookie.h"

namespace gossamer::run {

// Logs in wherever the settings say, before anything is crawled. Gives the cookies of the sessions,
// with those of the user's files; none if there is nowhere to log in. A failure has no secret in
// it; Errc::invalid_argument if a site did not let us in. BORROWS: all.
async::Task<Outcome<std::vector<wire::Cookie>>> log_in_first(Machine& machine, http::Client& client,
                                                             const CrawlSettings& settings);

}  // namespace gossamer::run
