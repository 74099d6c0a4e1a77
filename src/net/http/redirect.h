// Redirects: which there are, and where they lead.
#pragma once

#include <optional>

#include "base/result.h"
#include "http/response.h"
#include "url/url.h"

namespace gossamer::http {

// Returns the target of a redirect; empty if it is not one. Fails with Errc::malformed if it has no
// target or several.
Result<std::optional<url::Url>> redirect_target(const url::Url& from, const Response& answer);

}  // namespace gossamer::http
