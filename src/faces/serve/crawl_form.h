// The form for a new crawl: the settings that a browser may choose, from the table of settings.
#pragma once

#include <string>
#include <vector>

#include "base/json_value.h"
#include "base/result.h"
#include "settings/crawl_keywords.h"

namespace gossamer::serve {

// The fields of the form as a JSON array (docs/serve.md): those of the crawl that can do nothing
// beyond it. Suggested ones come first; the others are in the order of the help.
std::string crawl_form_json();

// Returns the settings among the members of an object that was made with the form; `url` and
// `folder` are none. A member that is null or empty is not set. Fails with Errc::invalid_argument
// for other members; values are not read.
Result<std::vector<settings::CrawlKeyword>> parse_crawl_form(const base::JsonValue& body);

}  // namespace gossamer::serve
