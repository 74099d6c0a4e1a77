#pragma once

namespace gossamer::base {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace gossamer::base
