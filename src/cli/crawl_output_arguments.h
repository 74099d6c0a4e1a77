#pragma once

#include "base/result.h"
#include "cli/crawl_arguments.h"
#include "options/table.h"

namespace gossamer::cli {

// The options about what a crawl says. BORROWS: the arguments, until they are parsed.
void declare_output(options::Table& table, CrawlArguments& arguments);

// --list-fields: prints all there are.
void list_fields();

// Fails with Errc::invalid_argument.
Result<void> settle_output(const options::Table& table, CrawlArguments& arguments);

}  // namespace gossamer::cli
