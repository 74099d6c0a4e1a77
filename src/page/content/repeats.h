// Elements that are repeated side by side.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "content/outline.h"

namespace gossamer::content {

// Siblings with the same tag and class, as in lists of products or posts. Two of them say nothing.
class Repeats {
 public:
  static constexpr std::uint32_t kMin = 3;

  explicit Repeats(const Outline& outline) : outline_(outline), same_(outline.size(), 1) {
    for (std::uint32_t at = 0; at < outline.size(); ++at) add_children(at);
  }
  std::uint32_t same(std::uint32_t at) const { return same_[at]; }

 private:
  struct Child {
    std::uint32_t signature = 0;
    std::uint32_t at = 0;
    friend auto operator<=>(const Child&, const Child&) = default;
  };

  void add_children(std::uint32_t parent) {
    // Nobody asks about inline elements.
    const OutlineItem& around = outline_[parent];
    if (around.all.blocks == around.own.blocks) return;
    children_.clear();
    for (std::uint32_t at = parent + 1; at < outline_[parent].end; at = outline_[at].end) {
      if (outline_[at].all.text > 0) children_.push_back({.at = at});
    }
    if (children_.size() < kMin) return;
    for (Child& child : children_) child.signature = signature(child.at);
    std::ranges::sort(children_);
    for (std::size_t i = 0; i < children_.size();) {
      std::size_t end = i;
      while (end < children_.size() && children_[end].signature == children_[i].signature) ++end;
      const auto count = static_cast<std::uint32_t>(end - i);
      for (; i < end; ++i) same_[children_[i].at] = count < kMin ? 1 : count;
    }
  }
  std::uint32_t signature(std::uint32_t at) const {
    const dom::Node& node = *outline_[at].node;
    std::uint32_t hash = static_cast<std::uint32_t>(node.tag()) + 0x811C9DC5;
    if (const dom::Attribute* const name = node.find("class")) {
      for (const char c :
           name->value().substr(0, std::min<std::size_t>(name->value().find(' '), 40))) {
        if (c >= '0' && c <= '9') continue;
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
      }
    }
    return hash;
  }

  const Outline& outline_;
  std::vector<std::uint32_t> same_;
  std::vector<Child> children_;  // of one element
};

}  // namespace gossamer::content
