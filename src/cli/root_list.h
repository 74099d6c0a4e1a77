#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "url/url.h"

namespace gossamer::cli {

// Reads a file of URLs, one per line; "-" is standard input. Each is handed over as it is read:
// there may be millions. Empty lines and those that begin with # are passed over. Fails with
// Errc::invalid_argument when the file cannot be read, and as `take` does, with the line.
Result<void> read_roots(const std::string& path,
                        std::move_only_function<Result<void>(std::string root)> take);

// A URL as it was typed; http:// may be left out. Fails with Errc::invalid_argument and suggests
// what was meant. The message hides passwords.
Result<url::Url> parse_typed_url(const std::string& text);

}  // namespace gossamer::cli
