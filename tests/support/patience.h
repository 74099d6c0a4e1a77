// For tests with real programs: waits for a condition, even on a busy machine.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace gossamer::support {

// Waits until the condition holds. If that takes too long, returns false and fails the test.
template <class Condition>
bool wait_until(Condition condition, std::chrono::seconds patience = std::chrono::seconds(300)) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
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
