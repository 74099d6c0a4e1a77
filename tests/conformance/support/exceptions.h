// Cases that are known to fail, by rule, and why we accept that.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json.h"
#include "testdata.h"

namespace gossamer::conformance {

struct Exception {
  const char* reason;
  bool (*applies)(const Json& row);
};

// A Score whose failures may match a rule. Prints the number of matches of each rule.
class RuledScore {
 public:
  RuledScore(std::string suite, std::span<const Exception> exceptions)
      : score_(std::move(suite)), exceptions_(exceptions), counts_(exceptions.size()) {}
  RuledScore(const RuledScore&) = delete;
  RuledScore& operator=(const RuledScore&) = delete;
  ~RuledScore() {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > 0) std::printf("  excepted %ld: %s\n", counts_[i], exceptions_[i].reason);
    }
  }

  template <class Describe>
  void count(const Json& row, bool passed, Describe describe) {
    for (std::size_t i = 0; !passed && i < exceptions_.size(); ++i) {
      if (!exceptions_[i].applies(row)) continue;
      ++counts_[i];
      ++excepted_;
      score_.count_exception();
      return;
    }
    score_.count(passed, describe);
  }

  // True if every case passed or is excepted, and there was at least one.
  bool is_clean() const {
    return score_.total() > 0 && score_.passed() + excepted_ == score_.total();
  }

 private:
  Score score_;
  std::span<const Exception> exceptions_;
  std::vector<long> counts_;
  long excepted_ = 0;
};

}  // namespace gossamer::conformance
