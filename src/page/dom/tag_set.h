// Sets of element names, as the rules of the tree builder use them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "html/token/names.h"

namespace gossamer::dom {

class TagSet {
 public:
  constexpr TagSet(std::initializer_list<html::TagId> tags) noexcept {
    for (const html::TagId tag : tags) words_[word_of(tag)] |= bit_of(tag);
  }
  constexpr bool has(html::TagId tag) const noexcept {
    return (words_[word_of(tag)] & bit_of(tag)) != 0;
  }

 private:
  static constexpr std::size_t word_of(html::TagId tag) noexcept {
    return static_cast<std::size_t>(tag) / 64;
  }
  static constexpr std::uint64_t bit_of(html::TagId tag) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(tag) % 64;
  }

  std::array<std::uint64_t, 4> words_ = {};
};

}  // namespace gossamer::dom
