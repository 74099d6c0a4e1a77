#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/crawl_arguments.h"
#include "options/table.h"
#include "url/url.h"

namespace gossamer::cli {

// Takes the name of a report, whose end says how it is written: .html, .json, .md.
options::Value report_value(std::vector<std::string>& into);
// Takes a URL that the user wants to know about; the scheme may be missing.
options::Value why_value(std::vector<url::Url>& into);

// The options about what a crawl says. BORROWS: the arguments, until they are parsed.
void declare_output(options::Table& table, CrawlArguments& arguments);

// --list-fields: prints all there are.
void list_fields();

// Fails with Errc::invalid_argument.
Result<void> settle_output(const options::Table& table, CrawlArguments& arguments);

}  // namespace gossamer::cli
