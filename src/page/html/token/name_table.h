// Finds the number of a name from its first eight bytes as one word: one multiplication, one table
// lookup and one comparison. The tokenizer needs it for every tag, about every twenty bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "html/token/names.h"

namespace gossamer::html {

static_assert(std::endian::native == std::endian::little, "words are read little end first");

// Returns the first eight bytes of a name as a word, the last of them in the highest place. A load,
// and a shift that drops the bytes after the name, give the same word.
constexpr std::uint64_t name_key(std::string_view name) noexcept {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < name.size() && i < 8; ++i) {
    key = key >> 8 | std::uint64_t{static_cast<unsigned char>(name[i])} << 56;
  }
  return key;
}

// A perfect hash of names by their first eight bytes. The compiler searches for the multiplier.
template <std::size_t Count>
class NameTable {
 public:
  consteval explicit NameTable(const std::array<std::string_view, Count>& names) {
    for (std::size_t i = 0; i < Count; ++i) keys_[i] = name_key(names[i]);
    std::uint64_t candidate = 0x9E3779B97F4A7C15;
    while (!fill(candidate)) candidate = candidate * 6364136223846793005U + 1442695040888963407U;
  }

  // Returns the number of the name with this key, in lower case; 0 if there is none. For names of
  // eight bytes or more it is a guess, because the rest may differ: see next().
  std::uint8_t find(std::uint64_t key) const noexcept {
    const std::uint8_t number = slots_[slot_of(key)];
    return keys_[number] == key ? number : std::uint8_t{0};
  }
  // Returns another name with the same key; 0 if there is none.
  std::uint8_t next(std::uint8_t number) const noexcept { return next_[number]; }

 private:
  static constexpr unsigned kSlotBits = 11;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;

  constexpr std::size_t slot_of(std::uint64_t key) const noexcept {
    return key * multiplier_ >> (64 - kSlotBits);
  }
  consteval bool fill(std::uint64_t multiplier) {
    slots_ = {};
    next_ = {};
    multiplier_ = multiplier | 1;
    for (std::size_t i = 1; i < Count; ++i) {
      std::uint8_t& slot = slots_[slot_of(keys_[i])];
      if (slot != 0 && keys_[slot] != keys_[i]) return false;
      next_[i] = slot;
      slot = static_cast<std::uint8_t>(i);
    }
    return true;
  }

  std::array<std::uint8_t, kSlots> slots_ = {};
  std::array<std::uint64_t, Count> keys_ = {};
  std::array<std::uint8_t, Count> next_ = {};
  std::uint64_t multiplier_ = 0;
};

inline constexpr NameTable kTagTable(kTagNames);
inline constexpr NameTable kAttributeTable(kAttributeNames);

inline constexpr std::uint64_t kLowerCaseBits = 0x2020202020202020;

}  // namespace gossamer::html
