#pragma once

#include <vector>

#include "async/task.h"
#include "http/client.h"
#include "run/failure.h"
#include "run/machine/machine.h"
#include "settings/crawl_settings.h"
#include "wire/cookie.h"

namespace gossamer::run {

// Performs all logins of the settings before the crawl. Returns the cookies of the sessions and of
// the user's files; none if there is no login. Fails with Errc::invalid_argument if a site rejected
// the login. Errors contain no secrets. BORROWS: all.
async::Task<Outcome<std::vector<wire::Cookie>>> log_in_first(Machine& machine, http::Client& client,
                                                             const CrawlSettings& settings);

}  // namespace gossamer::run
