#pragma once

#include <string>

#include "base/result.h"

namespace gossamer::store {

// Creates a file without a name, which disappears when its descriptor is closed. Returns the
// descriptor. Fails with Errc::no_space and Errc::io_failed.
Result<int> open_unnamed_file(const std::string& folder);

// The failure of an operation on such a file.
Error file_failure(int error_number, const std::string& what);

}  // namespace gossamer::store
