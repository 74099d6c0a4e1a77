#pragma once

#include <cstdint>

#include "url/url.h"

namespace gossamer::crawler {

// Returns the priority of a page for the order by score: 255 is fetched first. A page near the root
// of its host, few links away and without a query is more likely to be read by people, and less
// likely to be one of a million generated ones.
std::uint8_t url_score(const url::Url& url, std::uint32_t depth) noexcept;

}  // namespace gossamer::crawler
