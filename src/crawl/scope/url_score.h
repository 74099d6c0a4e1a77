#pragma once

#include <cstdint>

#include "url/url.h"

namespace gossamer::crawler {

// How soon a page should be fetched where the order goes by score: 255 is the soonest. What is near
// the root of its host, few links away and without a query is more likely a page that people read,
// and less likely one of a million that a program makes up.
std::uint8_t url_score(const url::Url& url, std::uint32_t depth) noexcept;

}  // namespace gossamer::crawler
