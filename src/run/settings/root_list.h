#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "url/url.h"

namespace gossamer::settings {

// Reads a file of URLs, one per line; "-" is standard input. Calls `take` for each line while
// reading, since there may be millions. Skips empty lines and lines that begin with #. Fails with
// Errc::invalid_argument if the file cannot be read, and as `take` does, with the line.
Result<void> read_roots(const std::string& path,
                        std::move_only_function<Result<void>(std::string root)> take);

// Parses a URL that the user typed; http:// is optional. Fails with Errc::invalid_argument and a
// suggestion. The message hides passwords.
Result<url::Url> parse_typed_url(const std::string& text);

}  // namespace gossamer::settings
