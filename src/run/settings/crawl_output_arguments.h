#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "options/table.h"
#include "settings/crawl_arguments.h"
#include "url/url.h"

namespace gossamer::settings {

// Takes the name of a report; its extension selects the format: .html, .json, .md.
options::Value report_value(std::vector<std::string>& into);
// Takes a URL for `why`; the scheme is optional.
options::Value why_value(std::vector<url::Url>& into);

// Takes a list of fields: "url,status".
options::Value fields_value(crawler::FieldChoice& into);

// Declares the output options of a crawl. BORROWS: the arguments, until they are parsed.
void declare_output(options::Table& table, CrawlArguments& arguments);

// Fails with Errc::invalid_argument.
Result<void> complete_output(const options::Table& table, CrawlArguments& arguments);

}  // namespace gossamer::settings
