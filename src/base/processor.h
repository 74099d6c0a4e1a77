// What this processor can do beyond what every one of its kind can.
#pragma once

namespace gossamer::base {

#if defined(__x86_64__)

// Vectors of 32 bytes, and the instructions on bits that came with them.
inline bool has_avx2() noexcept {
  static const bool kHas = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  return kHas;
}

#else

constexpr bool has_avx2() noexcept { return false; }

#endif

}  // namespace gossamer::base
