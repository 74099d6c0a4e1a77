// The parts of a request that the site's server needs.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace gossamer::site {

// BORROWS: all views are into what was read.
struct SiteRequest {
  std::string_view method;
  std::string_view host;
  std::string_view target;  // path and query
  std::string_view user_agent;
  bool keeps_alive = true;
  bool is_http_1_1 = true;
  bool accepts_gzip = false;
  bool has_body = false;
};

// Reads the request at the beginning of `heard` and returns its size; 0 if it is incomplete. Fails
// with Errc::malformed.
Result<std::size_t> read_request(std::string_view heard, SiteRequest& into);

}  // namespace gossamer::site
