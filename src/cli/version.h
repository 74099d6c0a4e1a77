#pragma once

namespace gossamer::cli {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace gossamer::cli
