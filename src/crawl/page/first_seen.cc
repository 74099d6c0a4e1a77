#include "crawl/page/first_seen.h"

#include <utility>

#include "crawl/frontier/scale_hash.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kFirstSlots = 16;
constexpr base::Hash128 kFree{};

}  // namespace

std::optional<std::uint64_t> FirstSeen::put(base::Hash128 digest, std::uint64_t owner) {
  if (digest == kFree) digest.low = 1;
  Segment& segment = segments_[digest.high >> (64 - kSegmentBits)];
  if (segment.slots.empty()) segment.slots.resize(kFirstSlots);
  Slot* slot = &find(segment.slots, digest);
  if (slot->digest == digest) return slot->owner;
  if (size_ >= capacity_) return std::nullopt;
  if (segment.size >= segment.slots.size() / 5 * 4) {
    grow(segment);
    slot = &find(segment.slots, digest);
  }
  *slot = {.digest = digest, .owner = owner};
  ++segment.size;
  ++size_;
  return std::nullopt;
}

std::size_t FirstSeen::memory_bytes() const noexcept {
  std::size_t bytes = sizeof(*this);
  for (const Segment& segment : segments_) bytes += segment.slots.capacity() * sizeof(Slot);
  return bytes;
}

// Returns the slot of the digest, or the free slot for it. There is one: at most 80 % are used.
FirstSeen::Slot& FirstSeen::find(std::vector<Slot>& slots, base::Hash128 digest) noexcept {
  std::size_t at = scale_hash(digest.high << kSegmentBits, slots.size());
  while (slots[at].digest != kFree && slots[at].digest != digest) {
    if (++at == slots.size()) at = 0;
  }
  return slots[at];
}

void FirstSeen::grow(Segment& segment) {
  std::vector<Slot> slots(segment.slots.size() + segment.slots.size() / 2);
  for (const Slot& slot : segment.slots) {
    if (slot.digest != kFree) find(slots, slot.digest) = slot;
  }
  segment.slots = std::move(slots);
}

}  // namespace gossamer::crawler
