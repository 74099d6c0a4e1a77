// For tests with real programs, which may take any time on a busy machine.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace gossamer::support {

// How long a test waits for what must happen. It only matters when something is broken, so it is
// longer than any machine needs, and there is no other such time.
inline constexpr std::chrono::seconds kPatience{300};

// Waits until the condition holds. If that takes too long, returns false and fails the test.
template <class Condition>
bool wait_until(Condition condition) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) {
      ADD_FAILURE() << "the condition never held";
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace gossamer::support
