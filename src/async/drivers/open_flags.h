#pragma once

#include "async/operation.h"

namespace gossamer::async {

inline constexpr int kNewFilePermissions = 0644;

// open(2)'s flags for a mode.
int open_flags(OpenMode mode) noexcept;

}  // namespace gossamer::async
