// The number of cases in a test over many: `./gossamer test` is quick, `./gossamer test --long`
// runs every case. Variables such as GOSSAMER_SEEDS and GOSSAMER_KILLS set another count.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace gossamer::support {

inline constexpr bool kIsSanitized =
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif

inline bool is_long_suite() { return std::getenv("GOSSAMER_LONG") != nullptr; }

// Returns all of `count` cases in the long suite, a quarter in the quick one. Sanitizers always run
// a tenth: they take ten times as long, and do not look for rare cases.
inline std::uint64_t cases_to_run(std::uint64_t count) {
  if (kIsSanitized) return count / 10;
  return is_long_suite() ? count : count / 4;
}

}  // namespace gossamer::support
