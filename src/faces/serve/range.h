// Range requests (RFC 9110 section 14), so that browsers can seek in media.
#pragma once

#include "server/request.h"
#include "server/response.h"

namespace gossamer::serve {

// Adds an ETag by the content, and answers a request for one range: 206 with that part, or 416 if
// it is behind the end. Everything else gets the whole body: several ranges, other units, an
// If-Range of another version. Does nothing unless the status is 200 and there is a body.
void select_range(const server::Request& request, server::Response& response);

}  // namespace gossamer::serve
