// Finds external test vectors, and counts their results.
//
//   TEST(SrcsetSuite, AgreesWithTheVectors) {
//     NEEDS_TESTDATA("links");
//     Score score("links/srcset");
//     for (...) score.count(passed, [&] { return fmt::format("case {}: ...", i); });
//     EXPECT_TRUE(score.reaches(1.0));
//   }
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/places.h"

namespace gossamer::conformance {

// $GOSSAMER_TESTDATA, else ../shared/testdata beside the source tree.
inline std::filesystem::path testdata_root() {
  if (const char* given = std::getenv("GOSSAMER_TESTDATA"); given != nullptr && *given != '\0') {
    return given;
  }
  return support::source_path("../shared/testdata");
}

// The path of a file or folder of the test data: testdata_path("url/urltestdata.json").
inline std::filesystem::path testdata_path(std::string_view relative) {
  return testdata_root() / relative;
}

inline bool has_testdata(std::string_view relative) {
  std::error_code ignored;
  return std::filesystem::exists(testdata_path(relative), ignored);
}

// Skips the test unless the suite (a file or folder of the test data) exists.
#define NEEDS_TESTDATA(relative)                                                       \
  if (!::gossamer::conformance::has_testdata(relative))                                \
  GTEST_SKIP() << "no test data: " << ::gossamer::conformance::testdata_path(relative) \
               << " (set GOSSAMER_TESTDATA)"

// The bytes of a file, unchanged. A file that cannot be read fails the test and is empty.
inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    ADD_FAILURE() << "cannot read " << path;
    return {};
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string read_testdata(std::string_view relative) {
  return read_bytes(testdata_path(relative));
}

// Calls `use(line)` for every line that is not empty, without its end.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// A copy in a heap block of exactly its size, so that AddressSanitizer sees a one-byte overread.
class ExactBlock {
 public:
  explicit ExactBlock(std::string_view bytes)
      : size_(bytes.size()), block_(std::make_unique_for_overwrite<char[]>(bytes.size())) {
    if (!bytes.empty()) std::memcpy(block_.get(), bytes.data(), bytes.size());
  }
  std::string_view view() const { return {block_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> block_;
};

// Counts the cases of one suite. The destructor prints "NAME: passed/total" and the first failures.
class Score {
 public:
  explicit Score(std::string suite, int failures_printed_max = 20)
      : suite_(std::move(suite)), failures_printed_max_(failures_printed_max) {}
  Score(const Score&) = delete;
  Score& operator=(const Score&) = delete;
  ~Score() {
    std::printf("%s: %ld/%ld", suite_.c_str(), passed_, total_);
    if (total_ > 0) std::printf(" (%.2f%%)", 100.0 * share());
    if (excepted_ > 0) std::printf(", %ld listed exceptions", excepted_);
    std::printf("\n");
    std::fflush(stdout);
  }

  // `describe` returns a line about the failure; it is called for failures only.
  template <class Describe>
  void count(bool passed, Describe describe) {
    ++total_;
    if (passed) {
      ++passed_;
      return;
    }
    if (++failures_ <= failures_printed_max_) {
      std::printf("  %s: %s\n", suite_.c_str(), std::string(describe()).c_str());
    }
  }

  // A case that is known to fail for a reason listed in the runner: in the total, not passed,
  // and not printed.
  void count_exception() {
    ++total_;
    ++excepted_;
  }

  // True if the share of passed cases is at least `bar`. False if there are no cases.
  bool reaches(double bar) const { return total_ > 0 && share() >= bar; }

  long passed() const { return passed_; }
  long total() const { return total_; }
  double share() const {
    return total_ == 0 ? 0.0 : static_cast<double>(passed_) / static_cast<double>(total_);
  }

 private:
  std::string suite_;
  int failures_printed_max_;
  long passed_ = 0;
  long total_ = 0;
  long failures_ = 0;
  long excepted_ = 0;
};

}  // namespace gossamer::conformance
