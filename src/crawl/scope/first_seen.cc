#include "scope/first_seen.h"

#include <utility>

#include "scope/scale_hash.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kFirstSlots = 16;

base::Hash128 stored(base::Hash128 key) noexcept {
  if (key == base::Hash128{}) key.low = 1;
  return key;
}
std::uint32_t stored(std::uint32_t key) noexcept { return key == 0 ? 1 : key; }

// Bits that select the place of a key.
std::uint64_t bits_of(base::Hash128 key) noexcept { return key.high; }
std::uint64_t bits_of(std::uint32_t key) noexcept { return std::uint64_t{key} << 32; }

}  // namespace

template <class Key, class Owner>
std::optional<Owner> FirstSeenOf<Key, Owner>::put(Key key, Owner owner) {
  key = stored(key);
  Segment& segment = segments_[bits_of(key) >> (64 - kSegmentBits)];
  if (segment.slots.empty()) segment.slots.resize(kFirstSlots);
  Slot* slot = &segment.slots[place_of(segment.slots, key)];
  if (slot->key == key) return slot->owner;
  if (size_ >= capacity_) return std::nullopt;
  if (segment.size >= segment.slots.size() / 5 * 4) {
    grow(segment);
    slot = &segment.slots[place_of(segment.slots, key)];
  }
  *slot = {.key = key, .owner = owner};
  ++segment.size;
  ++size_;
  return std::nullopt;
}

template <class Key, class Owner>
std::optional<Owner> FirstSeenOf<Key, Owner>::find(Key key) const noexcept {
  key = stored(key);
  const Segment& segment = segments_[bits_of(key) >> (64 - kSegmentBits)];
  if (segment.slots.empty()) return std::nullopt;
  const Slot& slot = segment.slots[place_of(segment.slots, key)];
  return slot.key == key ? std::optional(slot.owner) : std::nullopt;
}

template <class Key, class Owner>
std::size_t FirstSeenOf<Key, Owner>::memory_bytes() const noexcept {
  std::size_t bytes = sizeof(*this);
  for (const Segment& segment : segments_) bytes += segment.slots.capacity() * sizeof(Slot);
  return bytes;
}

// Returns the place of the key, or a free one for it. There is one: at most 80 % are used.
template <class Key, class Owner>
std::size_t FirstSeenOf<Key, Owner>::place_of(const std::vector<Slot>& slots, Key key) noexcept {
  std::size_t at = scale_hash(bits_of(key) << kSegmentBits, slots.size());
  while (slots[at].key != Key{} && slots[at].key != key) {
    if (++at == slots.size()) at = 0;
  }
  return at;
}

template <class Key, class Owner>
void FirstSeenOf<Key, Owner>::grow(Segment& segment) {
  std::vector<Slot> slots(segment.slots.size() + segment.slots.size() / 2);
  for (const Slot& slot : segment.slots) {
    if (slot.key != Key{}) slots[place_of(slots, slot.key)] = slot;
  }
  segment.slots = std::move(slots);
}

template class FirstSeenOf<base::Hash128, std::uint64_t>;
template class FirstSeenOf<std::uint32_t, std::uint32_t>;

}  // namespace gossamer::crawler
