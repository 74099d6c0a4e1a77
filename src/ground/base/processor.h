// Optional features of this processor.
#pragma once

namespace gossamer::base {

// Tests set it before the first query, so that the code for processors without these features also
// runs on processors that have them.
inline bool is_taken_for_plain = false;

#if defined(__x86_64__)

// Returns whether the processor has AVX2: 32-byte vectors and the bit instructions that came with
// them.
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
