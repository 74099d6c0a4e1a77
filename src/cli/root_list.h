#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace gossamer::cli {

// Reads a file of URLs, one per line; "-" is standard input. Each is handed over as it is read:
// there may be millions. Empty lines and those that begin with # are passed over. Fails with
// Errc::invalid_argument when the file cannot be read, and as `take` does, with the line.
Result<void> read_roots(const std::string& path,
                        std::move_only_function<Result<void>(std::string root)> take);

}  // namespace gossamer::cli
