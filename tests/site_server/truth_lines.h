// The truth about a site, and the results of a crawl, as lines of JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "site/comparison.h"
#include "site/truth.h"

namespace gossamer::site {

// Without a line feed.
std::string to_json(const TruthEntry& entry);

// Reads the members url, status and next_url of one line; others are ignored. Fails with
// Errc::malformed, also if there is no url.
Result<CrawledUrl> read_crawled_url(std::string_view line);

}  // namespace gossamer::site
