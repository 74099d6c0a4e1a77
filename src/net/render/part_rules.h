#pragma once

#include <vector>

#include "base/result.h"
#include "http/request.h"
#include "render/protocol.h"

namespace gossamer::render {

struct WantedParts {
  bool images = false;
  bool fonts = false;
};

// Returns whether a page gets an answer to this request. Films, sounds, reports, and streams of
// events, which never end, are never answered.
bool is_wanted_part(const PausedRequest& paused, const WantedParts& wanted);

// Returns the request as our client sends it, without fields that the client writes itself. Fails
// with Errc::unsupported if it is not one of HTTP.
Result<http::Request> request_of(PausedRequest paused);

// Returns the fields of an answer whose body was decoded.
std::vector<http::Field> part_fields(const std::vector<http::Field>& fields);
// The same for the page itself, which is shown even if it should be saved.
std::vector<http::Field> document_fields(const std::vector<http::Field>& fields);

}  // namespace gossamer::render
