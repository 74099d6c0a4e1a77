#include "scope/count_table.h"

#include <algorithm>
#include <utility>

#include "scope/scale_hash.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kFirstCapacity = 64;

// 0 marks a free slot.
constexpr std::uint64_t stored_key(std::uint64_t key) noexcept {
  return std::max<std::uint64_t>(key, 1);
}

}  // namespace

std::uint32_t& CountTable::operator[](std::uint64_t key) {
  key = stored_key(key);
  if (slots_.empty()) slots_.resize(kFirstCapacity);
  std::size_t at = place(key);
  if (slots_[at].key == key) return slots_[at].count;
  if (size_ >= slots_.size() / 5 * 4) {
    rebuild(slots_.size() * 2, 0);
    at = place(key);
  }
  slots_[at].key = key;
  ++size_;
  return slots_[at].count;
}

std::uint32_t CountTable::count(std::uint64_t key) const noexcept {
  return slots_.empty() ? 0 : slots_[place(stored_key(key))].count;
}

std::size_t CountTable::memory_bytes() const noexcept { return slots_.capacity() * sizeof(Slot); }

void CountTable::forget_below(std::uint32_t count) {
  if (!slots_.empty()) rebuild(slots_.size(), count);
}

// Returns the slot of the key, or the free slot for it. There is one: at most 80 % are used.
std::size_t CountTable::place(std::uint64_t key) const noexcept {
  std::size_t at = scale_hash(key, slots_.size());
  while (slots_[at].key != 0 && slots_[at].key != key) {
    if (++at == slots_.size()) at = 0;
  }
  return at;
}

void CountTable::rebuild(std::size_t capacity, std::uint32_t count_min) {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(capacity));
  size_ = 0;
  for (const Slot& slot : old) {
    if (slot.key == 0 || slot.count < count_min) continue;
    slots_[place(slot.key)] = slot;
    ++size_;
  }
}

}  // namespace gossamer::crawler
