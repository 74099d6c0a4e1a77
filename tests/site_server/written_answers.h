#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>

#include "site/written_answer.h"

namespace gossamer::site {

// Recent responses, so that a benchmark measures its client and not the making of pages. The oldest
// is dropped first. BOUND: bytes_max of responses.
class WrittenAnswers {
 public:
  explicit WrittenAnswers(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Returns nothing if it is not there.
  std::shared_ptr<const WrittenAnswer> find(std::uint64_t key) const {
    const auto found = answers_.find(key);
    return found == answers_.end() ? nullptr : found->second;
  }

  void add(std::uint64_t key, std::shared_ptr<const WrittenAnswer> answer) {
    if (answer->bytes.size() > bytes_max_) return;
    const std::size_t size = answer->bytes.size();
    if (!answers_.emplace(key, std::move(answer)).second) return;
    bytes_ += size;
    order_.push_back(key);
    while (bytes_ > bytes_max_) {
      const auto oldest = answers_.find(order_.front());
      order_.pop_front();
      bytes_ -= oldest->second->bytes.size();
      answers_.erase(oldest);
    }
  }

 private:
  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<const WrittenAnswer>> answers_;
  std::deque<std::uint64_t> order_;
};

}  // namespace gossamer::site
