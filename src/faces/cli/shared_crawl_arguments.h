#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/crawl_arguments.h"
#include "options/configuration.h"

namespace gossamer::cli {

// True if the command names a shared crawl, but no roots.
bool lacks_shared_settings(const CrawlArguments& arguments);
// Returns the settings of the crawl directory or, if it is new, those of the shared crawl. Fails
// with Errc::invalid_argument, with Errc::not_found if there is no such crawl, and as
// redis::Client::open() does.
Result<options::StoredSettings> fetch_shared_settings(CrawlArguments& arguments);
// Prints the error of a shared crawl. Returns the exit code.
int shared_crawl_error(std::string_view command, const Error& error);

}  // namespace gossamer::cli
