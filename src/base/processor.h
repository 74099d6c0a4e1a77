// What this processor can do beyond what every one of its kind can.
#pragma once

namespace gossamer::base {

// Set by tests before anything asks, so that the code for processors that can no more is run where
// all can.
inline bool is_taken_for_plain = false;

#if defined(__x86_64__)

// Vectors of 32 bytes, and the instructions on bits that came with them.
inline bool has_avx2() noexcept {
  static const bool kHas = !is_taken_for_plain && __builtin_cpu_supports("avx2") &&
                           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                           __builtin_cpu_supports("popcnt");
  return kHas;
}

#else

constexpr bool has_avx2() noexcept { return false; }

#endif

}  // namespace gossamer::base
