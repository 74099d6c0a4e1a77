#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "options/table.h"

namespace gossamer::cli {

struct CrawlArguments;

// --cluster and the options of the connection to Redis.
void declare_shared_crawl(options::Table& table, CrawlArguments& arguments);
// Reads the password. Fails with Errc::invalid_argument.
Result<void> settle_shared_crawl(CrawlArguments& arguments);

// True if the command names a shared crawl, but no roots.
bool lacks_shared_settings(const CrawlArguments& arguments);
// Stores the settings of the shared crawl in the crawl directory, unless it has settings. Returns
// the name of the file. Fails with Errc::invalid_argument, with Errc::not_found if there is no such
// crawl, as store::JobFolder::open() and as redis::Client::open() does.
Result<std::string> fetch_shared_settings(CrawlArguments& arguments);
// Prints the error of a shared crawl. Returns the exit code.
int shared_crawl_error(std::string_view command, const Error& error);

}  // namespace gossamer::cli
