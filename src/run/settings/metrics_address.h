#pragma once

#include <string_view>

#include "async/endpoint.h"
#include "base/result.h"

namespace gossamer::run {

// Parses "9100" (of 127.0.0.1), "10.0.0.5:9100" or "[::1]:9100". Port 0 is any free one. Fails with
// Errc::invalid_argument.
Result<async::Endpoint> parse_metrics_address(std::string_view text);

}  // namespace gossamer::run
