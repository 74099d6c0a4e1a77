#pragma once

#include "async/operation.h"

namespace gossamer::async {

inline constexpr int kNewFilePermissions = 0644;

// Returns the flags of open(2) for a mode.
int open_flags(OpenMode mode) noexcept;

}  // namespace gossamer::async
