// Counts the work of one search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dom/node.h"

namespace gossamer::dom {

// BOUND: a search does no more work than this. A step is a node, a condition, or some bytes.
class SelectorSteps {
 public:
  explicit SelectorSteps(std::uint64_t max) noexcept : left_(max) {}

  // Returns whether there are more steps.
  bool take(std::uint64_t count = 1) noexcept {
    left_ -= std::min(count, left_);
    return left_ > 0;
  }
  bool take_bytes(std::size_t bytes) noexcept { return take(bytes / kBytesPerStep); }
  void take_all() noexcept { left_ = 0; }
  bool is_exhausted() const noexcept { return left_ == 0; }
  std::uint64_t left() const noexcept { return left_; }

  // Looks an attribute up. Returns nullptr if there is none, or no more steps.
  const Attribute* find(const Node& element, AttributeId id) noexcept {
    return take(element.attributes().size() / kAttributesPerStep) ? element.find(id) : nullptr;
  }
  const Attribute* find(const Node& element, std::string_view name) noexcept {
    const std::size_t attributes = element.attributes().size();
    const bool has_steps = take(attributes / kAttributesPerStep) &&
                           take_bytes(attributes * name.size() / kAttributesPerStep);
    return has_steps ? element.find(name) : nullptr;
  }

 private:
  static constexpr std::size_t kBytesPerStep = 64;
  static constexpr std::size_t kAttributesPerStep = 8;

  std::uint64_t left_;
};

}  // namespace gossamer::dom
