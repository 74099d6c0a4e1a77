#pragma once

#include <atomic>
#include <thread>

namespace gossamer::bench {

// Samples the memory of all processes that this one started, and of those that they started: the
// shares of pages that several have are added once. Samples until it is destroyed.
class TreeMemory {
 public:
  TreeMemory();
  ~TreeMemory();
  TreeMemory(const TreeMemory&) = delete;
  TreeMemory& operator=(const TreeMemory&) = delete;

  // The most that was seen; 0: it cannot be read.
  double peak_mib() const { return peak_mib_; }

 private:
  void sample(const std::stop_token& stop);

  std::atomic<double> peak_mib_ = 0;
  std::jthread thread_;
};

}  // namespace gossamer::bench
