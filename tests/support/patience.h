// For tests with real programs: waiting for what will come, however busy the machine is.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace gossamer::support {

// Waits until it is so. False, and the test fails: that took too long.
template <class Condition>
bool wait_until(Condition condition, std::chrono::seconds patience = std::chrono::seconds(300)) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up) {
      ADD_FAILURE() << "it never came to that";
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace gossamer::support
