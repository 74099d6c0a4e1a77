#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bench/support/cpu.h"

namespace gossamer::bench {

struct FetchCost {
  double answers = 0;
  CpuTime cpu;
  double wall_us = 0;

  double cpu_us_each() const { return cpu.total_us() / answers; }
};

// Counts the responses of all connections of a client and measures between two of them.
class FetchProgress {
 public:
  // Measures `answers` of them after the first `warm_up`.
  FetchProgress(std::uint64_t warm_up, std::uint64_t answers)
      : begin_at_(warm_up), end_at_(warm_up + answers) {}

  bool over() const { return count_ >= end_at_; }
  void answered() {
    ++count_;
    if (count_ == begin_at_ || count_ == end_at_) note_time();
  }
  // REQUIRES: over().
  const FetchCost& cost() const { return cost_; }

 private:
  void note_time();

  std::uint64_t begin_at_;
  std::uint64_t end_at_;
  std::uint64_t count_ = 0;
  FetchCost cost_;
};

// Reads the minimum of a response to know its end, the same for all clients: status and
// Content-Length. The head must arrive in one piece, which it does on loopback.
class AnswerScan {
 public:
  // Returns true at the end of a response. Ends the program if it is not the expected response.
  bool feed(std::string_view bytes) {
    const std::size_t count = left_ == kHead ? bytes.size() - read_head(bytes) : bytes.size();
    left_ -= count;
    return left_ == 0;
  }
  bool complete() const { return left_ == 0; }

 private:
  static constexpr std::size_t kHead = static_cast<std::size_t>(-1);

  // Sets left_ to the length of the body. Returns the length of the head.
  std::size_t read_head(std::string_view bytes);

  std::size_t left_ = kHead;
};

}  // namespace gossamer::bench
