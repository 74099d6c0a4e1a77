// The answers of the API that read archives (docs/serve.md). All of these block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "serve/collection.h"
#include "serve/request.h"
#include "serve/response.h"
#include "serve/views.h"

namespace gossamer::serve {

Response answer_captures(const Collection& collection, const Request& request);
Response answer_pages(const Collection& collection, const Request& request);
Response answer_report(const Collection& collection, const Request& request);
Response answer_site_map(const Collection& collection, const Request& request);
Response answer_missing(const Collection& collection, const Request& request);

// The member "archives" of the API's `archives`. `crawls` are the numbers of the crawls that write
// archives, by archive.
std::string archives_json(const Collection& collection,
                          const std::map<std::uint32_t, std::size_t>& crawls);
std::string view_json(const ViewState& state);

}  // namespace gossamer::serve
