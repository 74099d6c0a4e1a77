// The answers of the API that read archives (docs/serve.md). All of these block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "captures/collection.h"
#include "captures/missing_parts.h"
#include "captures/work_limit.h"
#include "serve/replay.h"
#include "serve/search.h"
#include "serve/views.h"
#include "server/request.h"
#include "server/response.h"

namespace gossamer::serve {

server::Response answer_captures(const captures::Collection& collection,
                                 const server::Request& request);
// These may take long. They answer with 503 if the limit is over before.
server::Response answer_pages(const captures::Collection& collection,
                              const server::Request& request, const captures::WorkLimit& limit);
server::Response answer_report(const captures::Collection& collection,
                               const server::Request& request, const captures::WorkLimit& limit);
server::Response answer_site_map(const captures::Collection& collection,
                                 const server::Request& request, const captures::WorkLimit& limit);
server::Response answer_missing(const captures::Collection& collection,
                                const server::Request& request, captures::PartsFrom parts_from,
                                const captures::WorkLimit& limit);

// The member "archives" of the API's `archives`. `crawls` are the numbers of the crawls that write
// archives, by archive.
std::string archives_json(const captures::Collection& collection, Search& search,
                          const std::map<std::uint32_t, std::size_t>& crawls);
std::string view_json(const ViewState& state);

}  // namespace gossamer::serve
