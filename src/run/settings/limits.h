#pragma once

#include <cstdint>

namespace gossamer::run {

inline constexpr std::uint32_t kThreadsMax = 256;
inline constexpr std::uint32_t kConcurrencyMax = 100'000;

}  // namespace gossamer::run
