// Assigns table slots to tags as written: "b" and "/b" have two. The tokenizer inspects a tag about
// every twenty bytes and must know quickly whether it is wanted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "html/token/name_table.h"

namespace gossamer::html {

class TagSlots {
 public:
  static constexpr unsigned kBits = 13;
  static constexpr std::size_t kCount = std::size_t{1} << kBits;
  // BOUND: the bytes of a tag that are read, including the slash. Longer tags have no slot.
  static constexpr std::size_t kTagBytesMax = 7;

  consteval TagSlots() {
    std::array<std::uint64_t, 2 * kTagNames.size()> keys = {};
    std::size_t count = 0;
    for (const std::string_view name : std::span(kTagNames).subspan(1)) {
      if (has_start(name)) keys[count++] = start_key(name);
      if (has_end(name)) keys[count++] = end_key(name);
    }
    while (!are_apart(std::span(keys).first(count))) {
      multiplier_ = multiplier_ * 6364136223846793005U + 1442695040888963408U;  // odd, as before
    }
  }

  static constexpr bool has_start(std::string_view name) noexcept {
    return name.size() <= kTagBytesMax;
  }
  static constexpr bool has_end(std::string_view name) noexcept {
    return name.size() + 1 <= kTagBytesMax;
  }
  // REQUIRES: has_start(), has_end().
  constexpr std::size_t of_start(std::string_view name) const noexcept {
    return of_key(start_key(name));
  }
  constexpr std::size_t of_end(std::string_view name) const noexcept {
    return of_key(end_key(name));
  }

  // Returns the slot of the text after the '<', including the slash, given as a key (see
  // NameTable). The known tags have distinct slots; an unknown name can have any.
  constexpr std::size_t of_key(std::uint64_t key) const noexcept {
    return key * multiplier_ >> (64 - kBits);
  }

 private:
  static constexpr std::uint64_t start_key(std::string_view name) noexcept {
    return name_key(name);
  }
  static constexpr std::uint64_t end_key(std::string_view name) noexcept {
    return name_key(name) | std::uint64_t{'/'} << (56 - 8 * name.size());
  }
  consteval bool are_apart(std::span<const std::uint64_t> keys) const {
    std::array<std::uint64_t, kCount / 64> taken = {};
    for (const std::uint64_t key : keys) {
      const std::size_t slot = of_key(key);
      const std::uint64_t bit = std::uint64_t{1} << slot % 64;
      if ((taken[slot / 64] & bit) != 0) return false;
      taken[slot / 64] |= bit;
    }
    return true;
  }

  // A start value that worked for an earlier list of names; the compiler searches from here for one
  // that works for all.
  std::uint64_t multiplier_ = 0x2A6927DEC6DC88DD;
};

inline constexpr TagSlots kTagSlots;

}  // namespace gossamer::html
